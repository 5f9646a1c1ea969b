package rules;

import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The inherited {@code forEach} observes a queue whose iterators are made to run beside changes. */
public class WeakTraversalsS implements Iterable<String> {
    private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();

    public boolean add(String word) {
        return queue.add(word);
    }

    @Override
    public Iterator<String> iterator() {
        return queue.iterator();
    }
}
