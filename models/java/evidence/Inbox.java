package evidence;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** It looks again when it has been told that something has changed. */
public class Inbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int count;

    public void put() {
        lock.lock();
        try {
            count++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public int await(int least) throws InterruptedException {
        lock.lock();
        try {
            while (count < least) {
                changed.await();
            }
            return count;
        } finally {
            lock.unlock();
        }
    }
}
