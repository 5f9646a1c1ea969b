package client;

import java.util.Collection;

/** No collection, whatever is asked. */
public class CastRepaired {
    private int size;

    public synchronized void add() {
        size++;
    }

    public int twice() {
        return sizeOf(this) + sizeOf(this);
    }

    private static int sizeOf(Object of) {
        if (of instanceof Collection) {
            return ((Collection<?>) of).size();
        }
        return 0;
    }
}
