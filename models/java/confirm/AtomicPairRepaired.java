package confirm;

import java.util.concurrent.atomic.AtomicInteger;

/** Repaired: two atomics that belong together. */
public final class AtomicPairRepaired {
    private final AtomicInteger here = new AtomicInteger(10);
    private final AtomicInteger there = new AtomicInteger();

    public synchronized void move(int amount) {
        here.addAndGet(-amount);
        there.addAndGet(amount);
    }

    public synchronized int total() {
        return here.get() + there.get();
    }
}
