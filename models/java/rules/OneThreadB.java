package rules;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Two threads run tasks at the same time. */
public class OneThreadB {
    private final ExecutorService pool = Executors.newFixedThreadPool(2);
    private int count;

    public void later() {
        pool.execute(() -> count = count + 1);
    }
}
