package rules;

import java.util.concurrent.locks.Lock;

/** Clients pass a lock that excludes. */
public class GivenLocksS {
    private final Lock lock;
    private int count;

    public GivenLocksS(Lock lock) {
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
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }
}
