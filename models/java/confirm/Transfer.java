package confirm;

/** Broken: the lock is let go between two writes. */
public final class Transfer {
    private int from = 100;
    private int to;

    public void transfer(int amount) {
        synchronized (this) {
            from -= amount;
        }
        synchronized (this) {
            to += amount;
        }
    }

    public synchronized int total() {
        return from + to;
    }
}
