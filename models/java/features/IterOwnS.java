package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Own iterator used inside the lock. */
public class IterOwnS {
    private final int[] a = new int[4];
    private class It {
        int i;
        boolean has() {
            return i < a.length;
        }
        int next() {
            return a[i++];
        }
    }
    public synchronized int sum() {
        int s = 0;
        for (It t = new It(); t.has();) s += t.next();
        return s;
    }
    public synchronized void set(int i, int k) {
        a[i] = k;
        a[0]++;
    }
}
