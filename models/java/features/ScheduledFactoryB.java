package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** The threads of a scheduled pool count. */
public class ScheduledFactoryB {
    private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(2, task -> new Thread(() -> {
        count();
        task.run();
    }));
    private int n;

    private void count() {
        n++;
    }

    public void later() {
        pool.schedule(() -> { }, 1, TimeUnit.MILLISECONDS);
    }

    public synchronized int n() {
        return n;
    }
}
