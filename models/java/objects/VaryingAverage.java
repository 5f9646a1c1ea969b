package objects;

import java.util.concurrent.atomic.AtomicLong;

/** Broken: between the test and the division the count may become 0. The average itself differs from run to run. */
public final class VaryingAverage {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    public void addSince(long nanoseconds) {
        total.addAndGet(System.nanoTime() - nanoseconds);
        count.incrementAndGet();
    }

    public long average() {
        return count.get() == 0 ? 0 : total.get() / count.get();
    }

    public void reset() {
        count.set(0);
    }
}
