package features;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The position of an iterator has no guard, even if its container is concurrent. */
public class SharedIteratorB {
    private final Iterator<Integer> all = new ConcurrentLinkedQueue<>(List.of(1, 2, 3)).iterator();
    private volatile int last;

    public int next() {
        return all.next();
    }

    public void mark(int value) {
        last = value;
    }
}
