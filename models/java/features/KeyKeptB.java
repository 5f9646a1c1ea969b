package features;

import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;

/** A queue compares by a comparator that the library has made of a function, which counts. */
public final class KeyKeptB {
    private int n;
    private final PriorityBlockingQueue<String> queue =
        new PriorityBlockingQueue<>(4, Comparator.comparingInt(text -> n++));

    public void add(String text) {
        queue.add(text);
    }

    public synchronized int n() {
        return n;
    }
}
