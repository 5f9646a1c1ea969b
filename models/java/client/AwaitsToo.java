package client;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Gives its lock up between a read and the write that depends on it, in a method of its own. */
public class AwaitsToo {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int count;

    private void pause() throws InterruptedException {
        changed.await();
    }

    public void add() throws InterruptedException {
        lock.lock();
        try {
            int before = count;
            pause();
            count = before + 1;
        } finally {
            lock.unlock();
        }
    }

    public void reset() {
        lock.lock();
        try {
            count = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
