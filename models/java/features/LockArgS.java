package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Lock given to the constructor in both fields. */
public class LockArgS {
    private final Object l, m;
    private int n;
    public LockArgS(Object o) {
        l = Objects.requireNonNull(o);
        m = o;
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
