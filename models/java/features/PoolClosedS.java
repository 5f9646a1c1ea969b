package features;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The test for the end of an executor and the submission are under the lock of the one who ends it. */
public class PoolClosedS {
    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    public synchronized boolean submit(Runnable task) {
        if (pool.isShutdown()) {
            return false;
        }
        pool.execute(task);
        return true;
    }
    public synchronized void close() {
        pool.shutdown();
    }
}
