package confirm;

/** Broken: a flag is tested, then set. */
public final class CloseOnce {
    private volatile boolean isClosed;
    private int closings;

    public void close() {
        if (!isClosed) {
            isClosed = true;
            closings++;
        }
    }

    public synchronized int closings() {
        return closings;
    }
}
