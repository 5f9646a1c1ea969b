package confirm;

/** Repaired: an increment of a volatile field. */
public final class VolatileCounterRepaired {
    private volatile int count;

    public synchronized int increment() {
        return ++count;
    }

    public int get() {
        return count;
    }
}
