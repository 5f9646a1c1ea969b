package client;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Gives its lock up between a read and the write that depends on it; of which lock the condition is, only its maker knows. */
public class Awaits {
    private final Lock lock;
    private final Condition changed;
    private int count;

    public Awaits(Lock lock, Condition changed) {
        this.lock = lock;
        this.changed = changed;
    }

    public void add() throws InterruptedException {
        lock.lock();
        try {
            int before = count;
            changed.await();
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
