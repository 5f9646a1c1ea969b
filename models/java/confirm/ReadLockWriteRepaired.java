package confirm;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Repaired: a write under the lock for reading. */
public final class ReadLockWriteRepaired {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private int next;

    public int next() {
        lock.writeLock().lock();
        try {
            return next++;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
