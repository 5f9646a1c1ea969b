package effect;

import java.util.concurrent.atomic.AtomicLong;

/** The mean of some numbers. {@code record} cannot make it fail, and {@code reset} can. */
public class Average {
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong total = new AtomicLong();

    public void record(long value) {
        count.incrementAndGet();
        total.addAndGet(value);
    }

    public long average() {
        if (count.get() == 0) {
            return 0;
        }
        return total.get() / count.get();
    }

    public void reset() {
        count.set(0);
        total.set(0);
    }
}
