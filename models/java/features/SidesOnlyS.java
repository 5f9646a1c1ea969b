package features;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Correct: the sides of a lock that no field holds exclude each other. */
public class SidesOnlyS {
    private final Lock read;
    private final Lock write;
    private int low;
    private int high;

    public SidesOnlyS() {
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
        write.lock();
        try {
            low += by;
            high += by;
        } finally {
            write.unlock();
        }
    }
}
