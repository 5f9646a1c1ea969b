package features;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A result is set once, and read after the latch is open. */
public class OpenedLatchS {
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicBoolean isSet = new AtomicBoolean();
    private String name;
    private int size;

    public boolean set(String value) {
        if (!isSet.compareAndSet(false, true)) {
            return false;
        }
        name = value;
        size = value.length();
        done.countDown();
        return true;
    }

    public String get() throws InterruptedException {
        done.await();
        return name + size;
    }
}
