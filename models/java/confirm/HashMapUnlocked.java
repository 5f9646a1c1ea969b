package confirm;

import java.util.HashMap;
import java.util.Map;

/** Broken: a map without a lock: it is damaged inside. */
public final class HashMapUnlocked {
    private final Map<String, String> map = new HashMap<>();

    public void put(String key, String value) {
        map.put(key, value);
    }

    public synchronized String get(String key) {
        return map.get(key);
    }

    public synchronized int size() {
        return map.size();
    }
}
