package features;

import java.util.Date;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The same with a method that leaves nothing to adjust. */
public class DateFieldsS {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Date date = new Date(0);

    public void set(long time) {
        lock.writeLock().lock();
        try {
            date.setTime(time);
        } finally {
            lock.writeLock().unlock();
        }
    }

    @SuppressWarnings("deprecation")
    public int month() {
        lock.readLock().lock();
        try {
            return date.getYear() * 12 + date.getMonth();
        } finally {
            lock.readLock().unlock();
        }
    }
}
