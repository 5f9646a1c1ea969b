package undecided;

import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Unlocks its lock by a name under which nobody knows it; what was left is tested before. */
public class Renamed {
    private final Lock lock = new ReentrantLock();
    private final Map<String, Lock> locks = Map.of("left", lock);
    private int left = 10;

    public boolean take() {
        lock.lock();
        boolean isThere = left > 0;
        locks.get("left").unlock();
        if (isThere) {
            lock.lock();
            left--;
            locks.get("left").unlock();
        }
        return isThere;
    }
}
