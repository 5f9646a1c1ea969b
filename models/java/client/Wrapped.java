package client;

import java.util.Iterator;

/** Wraps an object of its own interface, which is never itself. */
public class Wrapped implements Iterator<Integer> {
    private final Iterator<Integer> inner;
    private int given;

    public Wrapped(Iterator<Integer> inner) {
        this.inner = inner;
    }

    @Override
    public boolean hasNext() {
        return inner.hasNext();
    }

    @Override
    public Integer next() {
        given++;
        return inner.next();
    }

    public synchronized int given() {
        return given;
    }
}
