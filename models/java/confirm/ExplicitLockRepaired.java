package confirm;

import java.util.concurrent.locks.ReentrantLock;

/** Repaired: a test before the lock. */
public final class ExplicitLockRepaired {
    private final ReentrantLock lock = new ReentrantLock();
    private int stock = 5;

    public boolean take(int count) {
        lock.lock();
        try {
            if (stock < count) {
                return false;
            }
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
