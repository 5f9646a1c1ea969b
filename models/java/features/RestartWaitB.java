package features;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A call uses after a wait the size that it has read before. */
public class RestartWaitB {
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
            int size = queue.size();
            while (queue.isEmpty()) {
                if (left <= 0) {
                    return null;
                }
                left = changed.awaitNanos(left);
            }
            return queue.pollFirst() + size;
        } finally {
            lock.unlock();
        }
    }
}
