package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Array in a deque. */
public class DequeOfArrayB {
    private final Deque<int[]> d = new ConcurrentLinkedDeque<>();
    public void push() {
        d.push(new int[1]);
    }
    public void inc() {
        int[] a = d.peek();
        if (a != null) a[0]++;
    }
}
