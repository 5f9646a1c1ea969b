package features;

import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Broken: a look-up in a map in access order changes the map, under the shared side of the lock. */
public class AccessOrderB {
    private final Cache cache = new Cache();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** The map. */
    private static final class Cache extends LinkedHashMap<String, String> {
        Cache() {
            super(16, 0.75f, true);
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
