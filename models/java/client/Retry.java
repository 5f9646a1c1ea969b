package client;

import java.util.concurrent.atomic.AtomicInteger;

/** Tries again with compare-and-set, but what it wants to set was found before the loop. */
public class Retry {
    private final AtomicInteger free = new AtomicInteger(8);

    public boolean take(int amount) {
        int left = free.get() - amount;
        if (left < 0) {
            return false;
        }
        while (true) {
            int now = free.get();
            if (free.compareAndSet(now, left)) {
                return true;
            }
        }
    }

    public void give(int amount) {
        free.addAndGet(amount);
    }
}
