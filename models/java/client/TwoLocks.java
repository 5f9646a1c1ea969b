package client;

import java.util.concurrent.locks.ReentrantLock;

/** Two kinds of locks, one inside of the other, but not around both reads. */
public class TwoLocks {
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
        int first = count;
        synchronized (mutex) {
            return first + count;
        }
    }
}
