package client;

import java.util.concurrent.locks.ReentrantLock;

/** Two kinds of locks, one inside of the other, and one of them around both reads. */
public class TwoLocksRepaired {
    private final Object mutex = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private int count;

    public void add() {
        synchronized (mutex) {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }

    public int twice() {
        lock.lock();
        try {
            return count + count;
        } finally {
            lock.unlock();
        }
    }
}
