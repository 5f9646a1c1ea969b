package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Two locks given to the constructor. */
public class LockArgB {
    private final Object l, m;
    private int n;
    public LockArgB(Object o, Object p) {
        l = Objects.requireNonNull(o);
        m = Objects.requireNonNull(p);
    }
    public void inc() {
        synchronized(l) {
            n++;
        }
    }
    public int twice() {
        synchronized(m) {
            return n + n;
        }
    }
}
