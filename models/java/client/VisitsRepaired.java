package client;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts in one step. */
public class VisitsRepaired {
    private final AtomicInteger count = new AtomicInteger();

    public int next() {
        return count.incrementAndGet();
    }
}
