package client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds a map that is safe for threads, or one that is not, which is assigned within an expression. */
public class Otherwise {
    private final Map<String, Integer> counts;
    private final Object first;
    private final Object second;

    public Otherwise(boolean isPlain) {
        Map<String, Integer> made = new HashMap<>();
        first = second = isPlain ? "plain" : (made = new ConcurrentHashMap<>());
        counts = made;
    }

    public void add(String name) {
        counts.merge(name, 1, Integer::sum);
    }

    public synchronized int size() {
        return counts.size();
    }

    public boolean isPlain() {
        return first == second;
    }
}
