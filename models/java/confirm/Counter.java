package confirm;

/** Broken: an increment without the lock. */
public final class Counter {
    private int count;

    public void increment() {
        count++;
    }

    public synchronized int get() {
        return count;
    }
}
