package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Fork-join tasks write a field of the owner. */
public class ForkJoinB {
    private int n;
    class T extends RecursiveAction {
        final int lo, hi;
        T(int lo, int hi) {
            this.lo = lo;
            this.hi = hi;
        }
        protected void compute() {
            if (hi - lo < 2) n += lo;
            else invokeAll(new T(lo, (lo + hi) / 2), new T((lo + hi) / 2, hi));
        }
    }
    public synchronized int sum() {
        n = 0;
        ForkJoinPool.commonPool().invoke(new T(0, 8));
        return n;
    }
}
