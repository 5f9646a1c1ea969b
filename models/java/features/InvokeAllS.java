package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** InvokeAll of lambdas that lock. */
public class InvokeAllS {
    private int n;
    private final ExecutorService e = Executors.newCachedThreadPool();
    private int step() {
        synchronized(this) {
            return n++;
        }
    }
    public void go() throws InterruptedException {
        e.invokeAll(List.of(this::step, this::step));
    }
    public synchronized int get() {
        return n + n;
    }
}
