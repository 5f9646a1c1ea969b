package features;

import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** A pool counts the tasks that it gets. */
public class TaskCountB {
    private final ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);

    public void run(Runnable task) { pool.execute(task); }

    public long more() {
        long before = pool.getTaskCount();
        return pool.getTaskCount() - before;
    }
}
