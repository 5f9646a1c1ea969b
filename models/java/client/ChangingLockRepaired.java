package client;

/** The monitor's object is set by constructors only. */
public class ChangingLockRepaired {
    private Object lock;
    private int count;

    public ChangingLockRepaired(Object lock) {
        this.lock = lock;
    }

    public void next() {
        synchronized (lock) {
            count++;
        }
    }
}
