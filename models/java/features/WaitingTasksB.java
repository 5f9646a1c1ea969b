package features;

import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** The tasks that wait are in the queue of a pool. */
public class WaitingTasksB {
    private final ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);

    public void run(Runnable task) { pool.submit(task); }

    public int more() {
        int before = pool.getQueue().size();
        return pool.getQueue().size() - before;
    }
}
