package rules;

import java.util.concurrent.locks.Lock;

/** One method does not take the lock. */
public class GivenLocksB {
    private final Lock lock;
    private int count;

    public GivenLocksB(Lock lock) {
        this.lock = lock;
    }

    public void add() {
        lock.lock();
        try {
            count = count + 1;
        } finally {
            lock.unlock();
        }
    }

    public int get() {
        return count + count;
    }
}
