package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Own iterator over a snapshot. */
public class OwnIteratorS implements Iterable<Integer> {
    private int[] a = new int[4];
    private int n;
    public synchronized void add(int k) {
        a[n] = k;
        n++;
    }
    public synchronized Iterator<Integer> iterator() {
        int[] c = Arrays.copyOf(a, n);
        return new Iterator<>() {
            int i;
            public boolean hasNext() {
                return i < c.length;
            }
            public Integer next() {
                return c[i++];
            }
        };
    }
}
