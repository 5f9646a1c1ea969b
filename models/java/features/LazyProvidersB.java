package features;

import java.util.ServiceLoader;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The stream of a service loader loads providers under the shared side. */
public class LazyProvidersB {
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

    public long count() {
        lock.readLock().lock();
        try {
            return all.stream().count();
        } finally {
            lock.readLock().unlock();
        }
    }
}
