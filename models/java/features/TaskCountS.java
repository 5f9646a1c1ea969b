package features;

import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** Two tasks for a pool, which nobody asks for a count. */
public class TaskCountS {
    private final ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);

    public void run(Runnable first, Runnable second) {
        pool.execute(first);
        pool.execute(second);
    }

    public int threads() { return pool.getCorePoolSize(); }
}
