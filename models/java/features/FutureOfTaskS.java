package features;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Clients get the future of a task, not the task. */
public class FutureOfTaskS {
    private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    private int count;

    public Future<Integer> next() {
        return pool.schedule(() -> ++count, 1, TimeUnit.MILLISECONDS);
    }
}
