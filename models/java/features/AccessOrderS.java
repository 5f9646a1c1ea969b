package features;

import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Correct: a look-up in a map in the order of insertion changes nothing. */
public class AccessOrderS {
    private final Cache cache = new Cache();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** The map. */
    private static final class Cache extends LinkedHashMap<String, String> {
        Cache() {
            super(16, 0.75f, false);
        }

        @Override
        public String get(Object key) {
            return super.get(key);
        }
    }

    public String get(String key) {
        lock.readLock().lock();
        try {
            return cache.get(key);
        } finally {
            lock.readLock().unlock();
        }
    }

    public void put(String key, String value) {
        lock.writeLock().lock();
        try {
            cache.put(key, value);
        } finally {
            lock.writeLock().unlock();
        }
    }
}
