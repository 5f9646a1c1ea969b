package features;

import java.util.concurrent.atomic.AtomicInteger;

/** Each round of a loop but the last one swaps a number, and others reset it in between. */
public final class CasInRoundsB {
    private final AtomicInteger count = new AtomicInteger();

    public void raise() {
        while (true) {
            int read = count.get();
            if (!count.compareAndSet(read, read + 1)) {
                break;
            }
        }
    }

    public void reset() {
        count.set(0);
    }
}
