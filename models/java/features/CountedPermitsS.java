package features;

import java.util.concurrent.Semaphore;

/** Takes permits of a semaphore in one step. */
public class CountedPermitsS {
    private final Semaphore permits = new Semaphore(4);

    public boolean take() {
        return permits.tryAcquire(2);
    }

    public void give() {
        permits.release(2);
    }
}
