package features;

import java.util.concurrent.atomic.AtomicInteger;

/** A number is read twice, the first time without the lock, and swapped if it is the second one. */
public final class CasAfterReadB {
    private final AtomicInteger count = new AtomicInteger();

    public int twice() {
        int first = count.get();
        synchronized (this) {
            int second = count.get();
            return count.compareAndSet(second, second + 1) ? first : second;
        }
    }

    public synchronized void reset() {
        count.set(0);
    }
}
