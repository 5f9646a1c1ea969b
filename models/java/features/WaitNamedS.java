package features;

/** Nothing that was read before the wait is used after it. */
public class WaitNamedS {
    private int count;

    public synchronized void increment(Object other) throws InterruptedException {
        other.wait(1);
        count = count + 1;
    }

    public synchronized int get() {
        return count;
    }
}
