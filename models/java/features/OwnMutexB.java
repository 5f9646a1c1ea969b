package features;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** The synchronizer lets a thread in that finds it taken. */
public class OwnMutexB {
    private static final class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int ignored) {
            return compareAndSetState(0, 1) || getState() == 1;
        }

        @Override
        protected boolean tryRelease(int ignored) {
            setState(0);
            return true;
        }
    }

    private final Mutex mutex = new Mutex();
    private int count;

    public int next() {
        mutex.acquire(1);
        try {
            return ++count;
        } finally {
            mutex.release(1);
        }
    }
}
