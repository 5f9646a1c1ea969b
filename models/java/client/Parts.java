package client;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Keeps both sides of a read-write lock in fields, and writes with the one for reading. */
public class Parts {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock reads = lock.readLock();
    private final Lock writes = lock.writeLock();
    private int count;

    public void add() {
        reads.lock();
        try {
            count++;
        } finally {
            reads.unlock();
        }
    }

    public int get() {
        writes.lock();
        try {
            return count;
        } finally {
            writes.unlock();
        }
    }
}
