package features;

/** The argument may be this object: then the wait releases its monitor. */
public class WaitNamedB {
    private int count;

    public synchronized void increment(Object other) throws InterruptedException {
        int before = count;
        other.wait(1);
        count = before + 1;
    }

    public synchronized int get() {
        return count;
    }
}
