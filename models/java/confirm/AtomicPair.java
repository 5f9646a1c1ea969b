package confirm;

import java.util.concurrent.atomic.AtomicInteger;

/** Broken: two atomics that belong together. */
public final class AtomicPair {
    private final AtomicInteger here = new AtomicInteger(10);
    private final AtomicInteger there = new AtomicInteger();

    public void move(int amount) {
        here.addAndGet(-amount);
        there.addAndGet(amount);
    }

    public int total() {
        return here.get() + there.get();
    }
}
