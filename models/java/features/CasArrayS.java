package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Compare-and-set of the same element. */
public class CasArrayS {
    private final AtomicIntegerArray a = new AtomicIntegerArray(4);
    public void inc(int i) {
        int o;
        do {
            o = a.get(i);
        } while (!a.compareAndSet(i, o, o + 1));
    }
}
