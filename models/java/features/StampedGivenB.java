package features;

import java.util.concurrent.locks.StampedLock;

/** Clients get the lock, and may unlock it: it has no owner. */
public class StampedGivenB {
    private final StampedLock lock = new StampedLock();
    private int count;

    public StampedLock lock() {
        return lock;
    }

    public void increment() {
        long stamp = lock.writeLock();
        try {
            count = count + 1;
        } finally {
            lock.unlockWrite(stamp);
        }
    }

    public int get() {
        long stamp = lock.readLock();
        try {
            return count;
        } finally {
            lock.unlockRead(stamp);
        }
    }
}
