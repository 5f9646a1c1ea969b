package features;

import java.util.ServiceLoader;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The same under the other side. */
public class LazyProvidersS {
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
        lock.writeLock().lock();
        try {
            return all.stream().count();
        } finally {
            lock.writeLock().unlock();
        }
    }
}
