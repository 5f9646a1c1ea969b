package client;

import java.util.concurrent.locks.ReentrantLock;

/** Two locks that are opened in one method and closed in another; the size is taken before the locks are opened again. */
public class FullyLocked {
    private final ReentrantLock putLock = new ReentrantLock();
    private final ReentrantLock takeLock = new ReentrantLock();
    private final int[] items = new int[16];
    private int count;

    private void fullyLock() {
        putLock.lock();
        takeLock.lock();
    }

    private void fullyUnlock() {
        takeLock.unlock();
        putLock.unlock();
    }

    public int size() {
        fullyLock();
        try {
            return count;
        } finally {
            fullyUnlock();
        }
    }

    public boolean put(int item) {
        int at = size();
        if (at == items.length) {
            return false;
        }
        fullyLock();
        try {
            items[at] = item;
            count = at + 1;
            return true;
        } finally {
            fullyUnlock();
        }
    }
}
