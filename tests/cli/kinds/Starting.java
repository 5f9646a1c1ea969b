package kinds;

import java.util.concurrent.CountDownLatch;

/** A counter whose calls wait until it is open. */
public class Starting {
    private final CountDownLatch isOpen = new CountDownLatch(1);
    private int count;

    public int add() throws InterruptedException {
        isOpen.await();
        return ++count;
    }

    public void unlock() {
        isOpen.countDown();
    }
}
