package features;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Broken: a writer holds the read side of a lock that no field holds. */
public class SidesOnlyB {
    private final Lock read;
    private final Lock write;
    private int low;
    private int high;

    public SidesOnlyB() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        read = lock.readLock();
        write = lock.writeLock();
    }

    public int size() {
        read.lock();
        try {
            return high - low;
        } finally {
            read.unlock();
        }
    }

    public void move(int by) {
        read.lock();
        try {
            low += by;
            high += by;
        } finally {
            read.unlock();
        }
    }
}
