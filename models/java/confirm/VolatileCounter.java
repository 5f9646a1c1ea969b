package confirm;

/** Broken: an increment of a volatile field. */
public final class VolatileCounter {
    private volatile int count;

    public int increment() {
        return ++count;
    }

    public int get() {
        return count;
    }
}
