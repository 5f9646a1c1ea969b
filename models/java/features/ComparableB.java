package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Comparable, by the bridge too. */
public class ComparableB implements Comparable<ComparableB> {
    private long a, b;
    public synchronized void set(int k) {
        a = k;
        b = k;
    }
    public int compareTo(ComparableB o) {
        long x = o.a;
        long y = o.b;
        return Long.compare(x, y);
    }
}
