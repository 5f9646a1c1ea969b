package confirm;

import java.util.ArrayList;
import java.util.List;

/** Repaired: listeners in a list without a lock. */
public final class ListenersRepaired {
    private final List<Runnable> listeners = new ArrayList<>();

    public synchronized void add(Runnable listener) {
        listeners.add(listener);
    }

    public synchronized int fire() {
        int count = 0;
        for (Runnable listener : listeners) {
            listener.run();
            count++;
        }
        return count;
    }
}
