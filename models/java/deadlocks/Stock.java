package deadlocks;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A deadlock: restock() holds the write lock and wants the monitor; count() holds the monitor and wants the read lock. */
public class Stock {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Integer> parts = new HashMap<>();

    public void restock(String part) {
        lock.writeLock().lock();
        try {
            parts.clear();
            put(part);
        } finally {
            lock.writeLock().unlock();
        }
    }

    private synchronized void put(String part) {
        parts.put(part, 1);
    }

    public synchronized boolean has(String part) {
        lock.readLock().lock();
        try {
            return parts.containsKey(part);
        } finally {
            lock.readLock().unlock();
        }
    }
}
