package client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Its map is safe for threads only if one of its two constructors has made it. */
public class HeldEither {
    private final Map<String, Integer> counts;

    public HeldEither() {
        counts = new ConcurrentHashMap<>();
    }

    public HeldEither(int size) {
        counts = new HashMap<>(size);
    }

    public synchronized void put(String word, int count) {
        counts.put(word, count);
    }

    public Integer remove(String word) {
        return counts.remove(word);
    }
}
