package features;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A result may be set again after the latch is open. */
public class OpenedLatchB {
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicBoolean isSet = new AtomicBoolean();
    private String name;
    private int size;

    public boolean set(String value) {
        boolean isFirst = isSet.compareAndSet(false, true);
        name = value;
        size = value.length();
        done.countDown();
        return isFirst;
    }

    public String get() throws InterruptedException {
        done.await();
        return name + size;
    }
}
