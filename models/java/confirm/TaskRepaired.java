package confirm;

/** Repaired: a function that leaves. */
public final class TaskRepaired {
    private int count;

    public Runnable task() {
        return this::increment;
    }

    public synchronized void increment() {
        count++;
    }

    public synchronized int get() {
        return count;
    }
}
