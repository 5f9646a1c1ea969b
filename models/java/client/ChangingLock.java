package client;

/** The object whose monitor is taken changes. */
public class ChangingLock {
    private Object lock = new Object();
    private int count;

    public void next() {
        synchronized (lock) {
            count++;
        }
    }

    public void renew() {
        lock = new Object();
    }
}
