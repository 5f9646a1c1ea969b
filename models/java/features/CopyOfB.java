package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Arrays.copyOf without lock. */
public class CopyOfB {
    private final int[] a = new int[4];
    public synchronized void set(int k) {
        a[0] = k;
        a[1] = k;
    }
    public int[] copy() {
        return Arrays.copyOf(a, 2);
    }
}
