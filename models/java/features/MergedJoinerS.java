package features;

import java.util.StringJoiner;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The same under the other side. */
public class MergedJoinerS {
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
        lock.writeLock().lock();
        try {
            copy.merge(all);
        } finally {
            lock.writeLock().unlock();
        }
        return copy.toString();
    }
}
