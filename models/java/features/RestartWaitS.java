package features;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A call looks anew after each wait, and uses nothing that it has read before. */
public class RestartWaitS {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<String> queue = new ArrayDeque<>();

    public void put(String value) {
        lock.lock();
        try {
            queue.addLast(value);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    public String poll(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (queue.isEmpty()) {
                if (left <= 0) {
                    return null;
                }
                left = changed.awaitNanos(left);
            }
            return queue.pollFirst();
        } finally {
            lock.unlock();
        }
    }
}
