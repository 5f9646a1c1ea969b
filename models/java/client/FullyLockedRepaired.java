package client;

import java.util.concurrent.locks.ReentrantLock;

/** Two locks that are opened in one method and closed in another, or opened by a method that tells whether it did. */
public class FullyLockedRepaired {
    private final ReentrantLock putLock = new ReentrantLock();
    private final ReentrantLock takeLock = new ReentrantLock();
    private final int[] items = new int[16];
    private int count;

    private void fullyLock() {
        putLock.lock();
        takeLock.lock();
    }

    private boolean tryFullyLock() {
        if (!putLock.tryLock()) {
            return false;
        }
        if (!takeLock.tryLock()) {
            putLock.unlock();
            return false;
        }
        return true;
    }

    private void fullyUnlock() {
        takeLock.unlock();
        putLock.unlock();
    }

    public boolean put(int item) {
        fullyLock();
        try {
            if (count == items.length) {
                return false;
            }
            items[count++] = item;
            return true;
        } finally {
            fullyUnlock();
        }
    }

    public boolean tryPut(int item) {
        if (!tryFullyLock()) {
            return false;
        }
        try {
            if (count == items.length) {
                return false;
            }
            items[count++] = item;
            return true;
        } finally {
            fullyUnlock();
        }
    }
}
