package confirm;

/** Repaired: the lock is let go between two writes. */
public final class TransferRepaired {
    private int from = 100;
    private int to;

    public void transfer(int amount) {
        synchronized (this) {
            from -= amount;
            to += amount;
        }
    }

    public synchronized int total() {
        return from + to;
    }
}
