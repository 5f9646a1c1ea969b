package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Spin lock by AtomicInteger. */
public class SpinS {
    private final AtomicInteger l = new AtomicInteger();
    private int n;
    public void inc() {
        while (!l.compareAndSet(0, 1)) {
        }
        n++;
        l.set(0);
    }
    public int twice() {
        while (!l.compareAndSet(0, 1)) Thread.yield();
        int k = n + n;
        l.set(0);
        return k;
    }
}
