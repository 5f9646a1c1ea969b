package features;

import java.util.concurrent.atomic.AtomicInteger;

/** A spin lock with two taken values. */
public class SpinTwoValuesS {
    private final AtomicInteger busy = new AtomicInteger();
    private int n;

    public void inc() {
        if (busy.compareAndSet(0, 1)) {
            n++;
            busy.set(0);
        }
    }

    public void other() {
        if (busy.getAndSet(2) == 0) {
            n++;
            busy.set(0);
        }
    }
}
