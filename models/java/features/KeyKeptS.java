package features;

import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;

/** The same under the lock. */
public final class KeyKeptS {
    private int n;
    private final PriorityBlockingQueue<String> queue =
        new PriorityBlockingQueue<>(4, Comparator.comparingInt(text -> n++));

    public synchronized void add(String text) {
        queue.add(text);
    }

    public synchronized int n() {
        return n;
    }
}
