package client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What is not there under the lock for reading is made under the one for writing; one variable holds either of them. Another thread may have made it in between. */
public class Upgraded {
    private final ReadWriteLock both = new ReentrantReadWriteLock();
    private final Map<String, int[]> counts = new HashMap<>();

    public int[] count(String key) {
        Lock lock = both.readLock();
        try {
            lock.lock();
            int[] found = counts.get(key);
            if (found == null) {
                lock.unlock();
                lock = both.writeLock();
                lock.lock();
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
