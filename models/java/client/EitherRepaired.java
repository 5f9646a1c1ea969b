package client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds a map that is safe for threads, by way of a local variable. */
public class EitherRepaired {
    private final Map<String, Integer> counts;

    public EitherRepaired() {
        Map<String, Integer> made = new ConcurrentHashMap<>();
        made.put("all", 0);
        counts = made;
    }

    public void add(String name) {
        counts.merge(name, 1, Integer::sum);
    }

    public synchronized int size() {
        return counts.size();
    }
}
