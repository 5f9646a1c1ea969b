package rules;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads of a pool run the function, without the lock of the call. */
public class OwnThreadB {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private int count;

    public synchronized void later() {
        pool.execute(() -> count = count + 1);
    }

    public synchronized int get() {
        return count;
    }
}
