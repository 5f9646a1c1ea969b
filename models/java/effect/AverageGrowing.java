package effect;

import java.util.concurrent.atomic.AtomicLong;

/** The mean of some numbers, whose count only grows: it may be wrong, and does not fail. */
public class AverageGrowing {
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
}
