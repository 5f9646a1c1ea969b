package client;

/** One of the methods takes another object's monitor. */
public class OwnLock {
    private final Object lock = new Object();
    private int low;
    private int high;

    public void move(int by) {
        synchronized (lock) {
            low += by;
            high += by;
        }
    }

    public void shrink() {
        synchronized (this) {
            high = low;
        }
    }
}
