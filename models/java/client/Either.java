package client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds a map that is safe for threads, or one that is not. */
public class Either {
    private final Map<String, Integer> counts;

    public Either(boolean isShared) {
        Map<String, Integer> made = new HashMap<>();
        if (isShared) {
            made = new ConcurrentHashMap<>();
        }
        counts = made;
    }

    public void add(String name) {
        counts.merge(name, 1, Integer::sum);
    }

    public synchronized int size() {
        return counts.size();
    }
}
