package features;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Clients get the task, too, and may call it. */
public class FutureOfTaskB {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private int count;

    public Callable<Integer> next() {
        Callable<Integer> task = () -> ++count;
        pool.submit(task);
        return task;
    }
}
