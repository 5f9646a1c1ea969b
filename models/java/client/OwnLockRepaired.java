package client;

/** All methods take the monitor of an object that never changes. */
public class OwnLockRepaired {
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
        synchronized (lock) {
            high = low;
        }
    }
}
