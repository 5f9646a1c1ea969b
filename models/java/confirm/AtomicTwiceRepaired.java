package confirm;

import java.util.concurrent.atomic.AtomicInteger;

/** Repaired: two steps on an atomic. */
public final class AtomicTwiceRepaired {
    private final AtomicInteger free = new AtomicInteger(1);

    public boolean reserve() {
        while (true) {
            int old = free.get();
            if (old <= 0) {
                return false;
            }
            if (free.compareAndSet(old, old - 1)) {
                return true;
            }
        }
    }

    public int free() {
        return free.get();
    }
}
