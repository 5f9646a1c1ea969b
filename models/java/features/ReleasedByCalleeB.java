package features;

import java.util.concurrent.locks.ReentrantLock;

/** A called method releases the lock under a condition, before the second write. */
public final class ReleasedByCalleeB {
    private final ReentrantLock lock = new ReentrantLock();
    private int x;
    private int y;

    public void twice() {
        lock.lock();
        x = 1;
        close();
        x = 2;
    }

    public void write() {
        lock.lock();
        try {
            x = 3;
        } finally {
            lock.unlock();
        }
    }

    private void close() {
        if (y == 0) {
            lock.unlock();
        }
    }
}
