package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Called by the bridge from a generic caller, locked. */
public class BridgeRawS {
    private int n;
    private class C implements Consumer<Integer> {
        public void accept(Integer k) {
            n += k;
        }
    }
    private <T> void feed(Consumer<T> c, T t) {
        c.accept(t);
    }
    public synchronized void inc() {
        feed(new C(), 1);
    }
    public synchronized int get() {
        return n + n;
    }
}
