package rules;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** To end an executor twice has the effect of once. */
public class CommutingChangesS {
    private final ExecutorService pool = Executors.newCachedThreadPool();

    public void close() {
        pool.shutdown();
    }

    public void closeNow() {
        pool.shutdown();
        pool.shutdownNow();
    }
}
