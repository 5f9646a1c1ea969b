package confirm;

import java.util.ArrayDeque;
import java.util.Deque;

/** Repaired: a queue is drained by its size. */
public final class QueueDrainRepaired {
    private final Deque<String> queue = new ArrayDeque<>();

    public synchronized void offer(String item) {
        queue.offer(item);
    }

    public synchronized int size() {
        return queue.size();
    }

    public synchronized String poll() {
        return queue.poll();
    }

    public synchronized int drain() {
        int count = size();
        for (int i = 0; i < count; i++) {
            poll();
        }
        return count - size();
    }
}
