package features;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Several threads may hold a read lock. */
public class ReadGivenB {
    private final ReentrantReadWriteLock.ReadLock lock;
    private int count;

    public ReadGivenB(ReentrantReadWriteLock.ReadLock lock) {
        this.lock = lock;
    }

    public void increment() {
        lock.lock();
        try {
            count = count + 1;
        } finally {
            lock.unlock();
        }
    }

    public int get() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }
}
