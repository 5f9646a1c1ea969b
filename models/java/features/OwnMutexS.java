package features;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** A lock of its own, by the synchronizer of the library. */
public class OwnMutexS {
    private static final class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int ignored) {
            return compareAndSetState(0, 1);
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
