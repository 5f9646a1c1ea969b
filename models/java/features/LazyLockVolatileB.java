package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Lazily made lock, volatile but not guarded. */
public class LazyLockVolatileB {
    private volatile Object l;
    private int n;
    public void inc() {
        if (l == null) l = new Object();
        synchronized(l) {
            n++;
        }
    }
}
