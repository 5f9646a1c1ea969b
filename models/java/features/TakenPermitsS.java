package features;

import java.util.concurrent.Semaphore;

/** Each method takes or gives permits in one step. */
public class TakenPermitsS {
    private final Semaphore permits = new Semaphore(4);

    public boolean attempt() {
        return permits.tryAcquire();
    }

    public void take() {
        permits.acquireUninterruptibly();
    }

    public void give() {
        permits.release();
    }
}
