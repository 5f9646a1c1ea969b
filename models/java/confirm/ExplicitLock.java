package confirm;

import java.util.concurrent.locks.ReentrantLock;

/** Broken: a test before the lock. */
public final class ExplicitLock {
    private final ReentrantLock lock = new ReentrantLock();
    private int stock = 5;

    public boolean take(int count) {
        if (stock < count) {
            return false;
        }
        lock.lock();
        try {
            stock -= count;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public boolean put(int count) {
        return take(count);
    }

    public int stock() {
        lock.lock();
        try {
            return stock;
        } finally {
            lock.unlock();
        }
    }
}
