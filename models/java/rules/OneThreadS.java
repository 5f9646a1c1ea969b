package rules;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The pool has one thread, which runs one task after the other. */
public class OneThreadS {
    private final ExecutorService pool = Executors.newFixedThreadPool(1);
    private int count;

    public void later() {
        pool.execute(() -> count = count + 1);
    }
}
