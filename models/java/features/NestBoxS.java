package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Own holder of a holder of an array. */
public class NestBoxS {
    static class In {
        final int[] a;
        In(int[] a) {
            this.a = a;
        }
    }
    static class Out {
        final In in;
        Out(In in) {
            this.in = in;
        }
    }
    private final Out o = new Out(new In(new int[2]));
    public synchronized void inc() {
        o.in.a[0]++;
    }
    public synchronized int sum() {
        return o.in.a[0] + o.in.a[1];
    }
}
