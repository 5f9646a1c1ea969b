package features;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/** Three assumptions: a size is that at one time, the state of a lock is not compared, clients leave a field alone. */
public class WeakSize {
    public int count;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentSkipListMap<String, Integer> all = new ConcurrentSkipListMap<>();

    public void put(String key) {
        all.put(key, 1);
    }

    public int size() {
        return all.keySet().size();
    }

    public boolean isBusy() {
        return lock.isLocked();
    }

    public void count() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }
}
