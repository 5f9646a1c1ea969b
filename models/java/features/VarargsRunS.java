package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Varargs of lambdas under the lock. */
public class VarargsRunS {
    private int n;
    private void each(Runnable... rs) {
        for (Runnable r : rs) r.run();
    }
    public synchronized void go() {
        each(() -> n++, () -> n--);
    }
    public synchronized int n() {
        return n;
    }
}
