package features;

import java.util.concurrent.Semaphore;

/** Asks a semaphore for its permits before it takes some of them. */
public class CountedPermitsB {
    private final Semaphore permits = new Semaphore(4);

    public boolean take() {
        return permits.availablePermits() >= 2 && permits.tryAcquire(2);
    }

    public void give() {
        permits.release(2);
    }
}
