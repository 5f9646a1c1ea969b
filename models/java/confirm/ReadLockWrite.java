package confirm;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Broken: a write under the lock for reading. */
public final class ReadLockWrite {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private int next;

    public int next() {
        lock.readLock().lock();
        try {
            return next++;
        } finally {
            lock.readLock().unlock();
        }
    }
}
