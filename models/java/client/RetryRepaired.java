package client;

import java.util.concurrent.atomic.AtomicInteger;

/** Tries again with compare-and-set until nobody was faster; what it wants to set is computed from what was there. */
public class RetryRepaired {
    private final AtomicInteger free = new AtomicInteger(8);

    public boolean take(int amount) {
        int now;
        do {
            now = free.get();
            if (now < amount) {
                return false;
            }
        } while (!free.compareAndSet(now, now - amount));
        return true;
    }

    public int give(int amount) {
        while (true) {
            int now = free.get();
            if (free.compareAndSet(now, now + amount)) {
                return now;
            }
            Thread.onSpinWait();
        }
    }

    public void reset() {
        free.set(8);
    }

    public void refill() {
        free.updateAndGet(now -> Math.max(now, 8));
    }
}
