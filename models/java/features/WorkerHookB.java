package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** The workers of a pool count when they begin. */
public class WorkerHookB {
    private final ForkJoinPool pool = new ForkJoinPool(4, Worker::new, null, true);
    private int n;

    private final class Worker extends ForkJoinWorkerThread {
        Worker(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        protected void onStart() {
            n++;
        }
    }

    public void go() {
        pool.execute(() -> { });
    }

    public synchronized void inc() {
        n++;
    }
}
