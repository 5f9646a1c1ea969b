package kinds;

/** A counter whose lock can be replaced while it is held. */
public class Gate {
    private volatile Object lock = new Object();
    private int passed;

    public int pass() {
        synchronized (lock) {
            return ++passed;
        }
    }

    public void renew() {
        lock = new Object();
    }
}
