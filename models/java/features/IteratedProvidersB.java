package features;

import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The iterator of a service loader loads providers under the shared side. */
public class IteratedProvidersB {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final ServiceLoader<Runnable> all = ServiceLoader.load(Runnable.class, null);

    public void reload() {
        lock.writeLock().lock();
        try {
            all.reload();
        } finally {
            lock.writeLock().unlock();
        }
    }

    public int count() {
        int found = 0;
        lock.readLock().lock();
        try {
            for (Iterator<Runnable> each = all.iterator(); each.hasNext(); each.next()) found++;
        } finally {
            lock.readLock().unlock();
        }
        return found;
    }
}
