package client;

/** Says what is used where it refuses, and goes on. */
public class Refused {
    private int used;

    public void take(int count) {
        try {
            check(count);
        } catch (IllegalArgumentException refused) {
            count = 1;
        }
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
