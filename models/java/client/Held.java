package client;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Its maps are safe for threads, whatever their fields are declared as; but what is done with them takes two steps. */
public class Held {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, String> names = Collections.synchronizedMap(new HashMap<>());

    public void count(String word) {
        Integer count = counts.get(word);
        counts.put(word, count == null ? 1 : count + 1);
    }

    public String name(String key, String proposal) {
        synchronized (this) {
            if (!names.containsKey(key)) {
                names.put(key, proposal);
            }
        }
        return names.get(key);
    }

    public void forget(String key) {
        names.remove(key);
    }
}
