package features;

import java.util.concurrent.atomic.AtomicInteger;

/** A read, and a swap that is not repeated: if it fails, it is a second read. */
public final class CasOnceB {
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean swapped;

    public void tryOnce() {
        int read = count.get();
        swapped = count.compareAndSet(read, read + 1);
    }

    public void reset() {
        count.set(2);
    }
}
