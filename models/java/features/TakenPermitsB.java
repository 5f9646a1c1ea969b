package features;

import java.util.concurrent.Semaphore;

/** Tries twice while others take permits. */
public class TakenPermitsB {
    private final Semaphore permits = new Semaphore(4);

    public synchronized boolean isSteady() {
        return attempt() == attempt();
    }

    public void take() {
        permits.acquireUninterruptibly();
    }

    private boolean attempt() {
        boolean done = permits.tryAcquire();
        if (done) {
            permits.release();
        }
        return done;
    }
}
