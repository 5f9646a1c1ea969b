package features;

import java.util.HashMap;
import java.util.Map;

/** A lookup in a plain map finds nothing while another thread lets the map grow. */
public class PlainMapB {
    private final Map<String, Integer> all = new HashMap<>();

    public synchronized void put(String key, int value) {
        all.put(key, value);
    }

    public Integer get(String key) {
        return all.get(key);
    }
}
