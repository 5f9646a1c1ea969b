package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Copies from an Object that it casts, locks it. */
public class CopyFromObjectS {
    private int a, b;
    public synchronized void set(int k) {
        a = k;
        b = k;
    }
    public void copyFrom(Object x) {
        if (x instanceof CopyFromObjectS) {
            CopyFromObjectS o = (CopyFromObjectS) x;
            int p, q;
            synchronized(o) {
                p = o.a;
                q = o.b;
            }
            synchronized(this) {
            }
        }
    }
}
