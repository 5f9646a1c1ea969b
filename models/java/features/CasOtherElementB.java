package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** The value of one element says nothing of another one. */
public class CasOtherElementB {
    private final AtomicIntegerArray a = new AtomicIntegerArray(4);

    public void inc(int i) {
        int old;
        do {
            old = a.get(i);
        } while (!a.compareAndSet(i ^ 1, old, old + 1));
    }

    public void dec(int i) {
        a.decrementAndGet(i);
    }
}
