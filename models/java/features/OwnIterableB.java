package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The library asks the iterator that an own Iterable gives. */
public class OwnIterableB {
    private final int[] a = new int[2];

    private final class Both implements Iterable<Integer> {
        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int next;

                public boolean hasNext() {
                    return next < 2;
                }

                public Integer next() {
                    return a[next++];
                }
            };
        }
    }

    public synchronized void set(int to) {
        a[0] = to;
        a[1] = -to;
    }

    public int sum() {
        int[] sum = new int[1];
        new Both().forEach(x -> sum[0] += x);
        return sum[0];
    }
}
