package confirm;

import java.util.ArrayList;
import java.util.List;

/** Broken: listeners in a list without a lock. */
public final class Listeners {
    private final List<Runnable> listeners = new ArrayList<>();

    public void add(Runnable listener) {
        listeners.add(listener);
    }

    public int fire() {
        int count = 0;
        for (Runnable listener : listeners) {
            listener.run();
            count++;
        }
        return count;
    }
}
