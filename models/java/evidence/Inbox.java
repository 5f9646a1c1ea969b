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

    public int await(int least, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (count < least && left > 0) {
                left = changed.awaitNanos(left);
            }
            return count;
        } finally {
            lock.unlock();
        }
    }
}
