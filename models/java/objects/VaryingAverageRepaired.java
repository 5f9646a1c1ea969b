package objects;

import java.util.concurrent.atomic.AtomicLong;

/** Each method holds the lock of the object. */
public final class VaryingAverageRepaired {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong count = new AtomicLong();

    public synchronized void addSince(long nanoseconds) {
        total.addAndGet(System.nanoTime() - nanoseconds);
        count.incrementAndGet();
    }

    public synchronized long average() {
        return count.get() == 0 ? 0 : total.get() / count.get();
    }

    public synchronized void reset() {
        count.set(0);
    }
}
