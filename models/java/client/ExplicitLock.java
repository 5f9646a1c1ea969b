package client;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Lets go of the lock between the test and the change. */
public class ExplicitLock {
    private final Lock lock = new ReentrantLock();
    private int balance;

    public boolean take(int amount) {
        lock.lock();
        try {
            if (balance < amount) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        lock.lock();
        try {
            balance -= amount;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void put(int amount) {
        lock.lock();
        try {
            balance += amount;
        } finally {
            lock.unlock();
        }
    }
}
