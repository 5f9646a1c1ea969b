package client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What is not there is made under the lock for writing, under which it was looked for. */
public class UpgradedRepaired {
    private final ReadWriteLock both = new ReentrantReadWriteLock();
    private final Map<String, int[]> counts = new HashMap<>();

    public int[] count(String key) {
        Lock lock = both.writeLock();
        try {
            lock.lock();
            int[] found = counts.get(key);
            if (found == null) {
                found = new int[1];
                counts.put(key, found);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    public void forget(String key) {
        both.writeLock().lock();
        try {
            counts.remove(key);
        } finally {
            both.writeLock().unlock();
        }
    }
}
