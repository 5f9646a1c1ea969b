package confirm;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Repaired: a read-write lock is upgraded without looking again. */
public final class ReadThenWriteLockRepaired {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private String value;

    public boolean put(String first) {
        lock.writeLock().lock();
        try {
            if (value != null) {
                return false;
            }
            value = first;
            return true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    public String get() {
        lock.readLock().lock();
        try {
            return value;
        } finally {
            lock.readLock().unlock();
        }
    }
}
