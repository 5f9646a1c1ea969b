package features;

import java.util.AbstractMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The key set that the library makes of a map of its own class asks the map for its entries, which counts. */
public final class KeysOfOwnB {
    private int n;
    private final Map<String, Integer> map = new AbstractMap<>() {
        @Override
        public Set<Map.Entry<String, Integer>> entrySet() {
            n++;
            return new HashSet<>();
        }
    };

    public synchronized void inc() {
        n++;
    }

    public boolean has(String key) {
        return map.keySet().contains(key);
    }
}
