package client;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The test and the change are in one piece, on all ways out; who does not get the lock changes nothing. */
public class ExplicitLockRepaired {
    private final Lock lock = new ReentrantLock();
    private int balance;

    public boolean take(int amount) {
        lock.lock();
        try {
            if (balance < amount) {
                return false;
            }
            balance -= amount;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public boolean put(int amount) {
        if (lock.tryLock()) {
            try {
                balance += amount;
                return true;
            } finally {
                lock.unlock();
            }
        }
        return false;
    }
}
