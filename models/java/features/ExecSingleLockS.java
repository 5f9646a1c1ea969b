package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Single-thread executor and every task locks. */
public class ExecSingleLockS {
    private final ExecutorService e = Executors.newSingleThreadExecutor();
    private int n;
    public void go() {
        e.execute(() -> {
            synchronized(this) {
                n++;
            }
        });
    }
    public synchronized int twice() {
        return n + n;
    }
}
