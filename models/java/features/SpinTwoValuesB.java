package features;

import java.util.concurrent.atomic.AtomicInteger;

/** A spin lock with two taken values: a get-and-set that fails returns the value of another thread. */
public class SpinTwoValuesB {
    private final AtomicInteger busy = new AtomicInteger();
    private int n;

    public void inc() {
        if (busy.compareAndSet(0, 1)) {
            n++;
            busy.set(0);
        }
    }

    public void other() {
        int before = busy.getAndSet(2);
        if (before == 0) {
            n++;
            busy.set(0);
        } else if (before == 1) {
            n++;
        }
    }
}
