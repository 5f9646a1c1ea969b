package rules;

/** The lock is replaced. */
public class SameLockB {
    private Object lock = new Object();
    private int count;

    public void add() {
        synchronized (lock) {
            count = count + 1;
        }
    }

    public void renew() {
        lock = new Object();
    }
}
