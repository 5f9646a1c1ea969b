package client;

/** Says what is used where it refuses, and leaves it at that. */
public class RefusedRepaired {
    private int used;

    public void take(int count) {
        check(count);
        synchronized (this) {
            used += count;
        }
    }

    private synchronized void check(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("used are " + used);
        }
    }
}
