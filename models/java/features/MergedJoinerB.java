package features;

import java.util.StringJoiner;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A joiner that another one merges is changed under the shared side. */
public class MergedJoinerB {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final StringJoiner all = new StringJoiner(",");

    public void add(String one) {
        lock.writeLock().lock();
        try {
            all.add(one);
        } finally {
            lock.writeLock().unlock();
        }
    }

    public String copy() {
        StringJoiner copy = new StringJoiner(",");
        lock.readLock().lock();
        try {
            copy.merge(all);
        } finally {
            lock.readLock().unlock();
        }
        return copy.toString();
    }
}
