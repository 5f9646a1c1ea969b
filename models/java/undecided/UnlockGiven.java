package undecided;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Clients may pass the lock that is held. */
public class UnlockGiven {
    private final ReentrantLock own = new ReentrantLock();
    private int count;

    public Lock lock() {
        return own;
    }

    public void increment(Lock given) {
        own.lock();
        try {
            int before = count;
            given.unlock();
            given.lock();
            count = before + 1;
        } finally {
            own.unlock();
        }
    }

    public int get() {
        own.lock();
        try {
            return count;
        } finally {
            own.unlock();
        }
    }
}
