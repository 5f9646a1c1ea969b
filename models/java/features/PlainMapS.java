package features;

import java.util.HashMap;
import java.util.Map;

/** The same under the lock. */
public class PlainMapS {
    private final Map<String, Integer> all = new HashMap<>();

    public synchronized void put(String key, int value) {
        all.put(key, value);
    }

    public synchronized Integer get(String key) {
        return all.get(key);
    }
}
