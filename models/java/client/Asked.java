package client;

import java.util.concurrent.locks.ReentrantLock;

/** Gives its lock up before it calls somebody, and asks at the end whether it still has it. One of two numbers is changed after that. */
public class Asked {
    private final ReentrantLock lock = new ReentrantLock();
    private int open;
    private int closed;

    public void close(Runnable told) {
        lock.lock();
        try {
            if (open == 0) {
                lock.unlock();
                told.run();
                return;
            }
            open--;
            lock.unlock();
            told.run();
            lock.lock();
            closed++;
        } finally {
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }
    }

    public void open() {
        lock.lock();
        try {
            open++;
        } finally {
            lock.unlock();
        }
    }
}
