package client;

import java.util.Iterator;

/** Used by an interface of the library. */
public class Polled implements Iterator<Integer> {
    private int left = 3;

    @Override
    public synchronized boolean hasNext() {
        return left > 0;
    }

    @Override
    public synchronized Integer next() {
        left = left - 1;
        return left;
    }

    public static int last(Iterator<Integer> all) {
        int last = 0;
        while (all.hasNext()) {
            last = all.next();
        }
        return last;
    }
}
