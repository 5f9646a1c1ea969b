package confirm;

/** Repaired: an increment without the lock. */
public final class CounterRepaired {
    private int count;

    public synchronized void increment() {
        count++;
    }

    public synchronized int get() {
        return count;
    }
}
