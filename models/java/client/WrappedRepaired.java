package client;

import java.util.Iterator;

/** Wraps an object of its own interface, which is never itself. */
public class WrappedRepaired implements Iterator<Integer> {
    private final Iterator<Integer> inner;
    private int given;

    public WrappedRepaired(Iterator<Integer> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Integer next() {
        synchronized (this) {
            given++;
        }
        return inner.next();
    }

    public synchronized int given() {
        return given;
    }
}
