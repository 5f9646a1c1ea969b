package effect;

import java.util.ArrayList;
import java.util.List;

/** Listeners are added under a lock, and called without it. */
public class Listeners {
    private final List<Runnable> listeners = new ArrayList<>();

    public synchronized void add(Runnable listener) {
        listeners.add(listener);
    }

    public synchronized void remove(Runnable listener) {
        listeners.remove(listener);
    }

    public void fire() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }
}
