package rules;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The class asks whether the executor has ended, and another call may end it before the task is given. */
public class CommutingChangesB {
    private final ExecutorService pool = Executors.newCachedThreadPool();

    public void close() {
        pool.shutdown();
    }

    public void run(Runnable task) {
        if (!pool.isShutdown()) {
            pool.execute(task);
        }
    }
}
