package confirm;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Broken: a read-write lock is upgraded without looking again. */
public final class ReadThenWriteLock {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private String value;

    public boolean put(String first) {
        lock.readLock().lock();
        try {
            if (value != null) {
                return false;
            }
        } finally {
            lock.readLock().unlock();
        }
        lock.writeLock().lock();
        try {
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
