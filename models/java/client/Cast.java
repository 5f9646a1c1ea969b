package client;

import java.util.Collection;

/** Found out by its class. */
public class Cast {
    private int size;

    public synchronized void add() {
        size++;
    }

    public int twice() {
        return sizeOf(this) + sizeOf(this);
    }

    private synchronized int size() {
        return size;
    }

    private static int sizeOf(Object of) {
        if (of instanceof Collection) {
            return ((Collection<?>) of).size();
        }
        return of instanceof Cast ? ((Cast) of).size() : 0;
    }
}
