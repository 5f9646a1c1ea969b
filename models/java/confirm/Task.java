package confirm;

/** Broken: a function that leaves. */
public final class Task {
    private int count;

    public Runnable task() {
        return () -> count++;
    }

    public synchronized void increment() {
        count++;
    }

    public synchronized int get() {
        return count;
    }
}
