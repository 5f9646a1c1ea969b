package client;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Others lock it, use it, and unlock it. One method forgets to. */
public class Opened {
    private final Lock lock = new ReentrantLock();
    private int size;

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    int size() {
        return size;
    }

    void add() {
        size++;
    }

    public void clear() {
        size = 0;
    }
}
