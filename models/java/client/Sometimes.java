package client;

import java.util.concurrent.locks.ReentrantLock;

/** Has a lock only if it is to be shared. */
public class Sometimes {
    private final ReentrantLock lock;
    private int count;

    public Sometimes(boolean isShared) {
        if (isShared) {
            lock = new ReentrantLock();
        } else {
            lock = null;
        }
    }

    public void add() {
        if (lock != null) {
            lock.lock();
        }
        try {
            count++;
        } finally {
            if (lock != null) {
                lock.unlock();
            }
        }
    }
}
