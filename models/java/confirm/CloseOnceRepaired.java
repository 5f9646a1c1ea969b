package confirm;

/** Repaired: a flag is tested, then set. */
public final class CloseOnceRepaired {
    private volatile boolean isClosed;
    private int closings;

    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            closings++;
        }
    }

    public synchronized int closings() {
        return closings;
    }
}
