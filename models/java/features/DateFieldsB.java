package features;

import java.util.Date;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A date adjusts its fields under the shared side. */
public class DateFieldsB {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final Date date = new Date(0);

    @SuppressWarnings("deprecation")
    public void set(int day) {
        lock.writeLock().lock();
        try {
            date.setDate(day);
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
