package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** A pool starts the threads that a factory makes. */
public class FactoryThreadB {
    private int n;
    private final ExecutorService pool = Executors.newFixedThreadPool(2, task -> new Thread(() -> {
        n++;
        task.run();
    }));

    public void go() {
        pool.execute(() -> { });
    }
}
