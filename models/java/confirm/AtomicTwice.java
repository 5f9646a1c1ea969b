package confirm;

import java.util.concurrent.atomic.AtomicInteger;

/** Broken: two steps on an atomic. */
public final class AtomicTwice {
    private final AtomicInteger free = new AtomicInteger(1);

    public boolean reserve() {
        if (free.get() > 0) {
            free.decrementAndGet();
            return true;
        }
        return false;
    }

    public int free() {
        return free.get();
    }
}
