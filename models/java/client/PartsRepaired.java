package client;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Keeps both sides of a read-write lock in fields, and writes with the one for writing. */
public class PartsRepaired {
    private final Map<String, String> words = new TreeMap<>();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock reads = lock.readLock();
    private final Lock writes = lock.writeLock();
    private int changes;

    public String get(String key) {
        reads.lock();
        try {
            return changes == 0 ? null : words.get(key);
        } finally {
            reads.unlock();
        }
    }

    public void put(String key, String value) {
        writes.lock();
        try {
            words.put(key, value);
            changes++;
        } finally {
            writes.unlock();
        }
    }
}
