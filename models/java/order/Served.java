package order;

/** Counts calls for statistics, without a lock. */
public class Served {
    private long calls;
    private int size;

    public int size() {
        calls++;
        synchronized (this) {
            return size;
        }
    }

    public synchronized void add() {
        size++;
    }

    public long calls() {
        return calls;
    }
}
