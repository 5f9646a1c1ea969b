package client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Each step is one, or all are done while the monitor is held that the methods of the collection enter. */
public class HeldRepaired {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, String> names = Collections.synchronizedMap(new HashMap<>());
    private final Set<String> words = Collections.newSetFromMap(new ConcurrentHashMap<>());
    private final Vector<String> order = new Vector<>();
    private final List<Runnable> listeners;

    public HeldRepaired() {
        listeners = new CopyOnWriteArrayList<>();
    }

    public void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }

    public boolean isNew(String word) {
        return words.add(word);
    }

    public String name(String key, String proposal) {
        synchronized (names) {
            if (!names.containsKey(key)) {
                names.put(key, proposal);
            }
            return names.get(key);
        }
    }

    public void forget(String key) {
        names.remove(key);
    }

    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    public void tell() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    public void first(String word) {
        synchronized (order) {
            if (!order.contains(word)) {
                order.add(0, word);
            }
        }
    }

    public void last(String word) {
        order.add(word);
    }

    public List<String> all() {
        synchronized (order) {
            return new ArrayList<>(order);
        }
    }
}
