package confirm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Broken: a concurrent map: get, then put. */
public final class WordCount {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    public void count(String word) {
        Integer old = counts.get(word);
        counts.put(word, old == null ? 1 : old + 1);
    }

    public int get(String word) {
        return counts.getOrDefault(word, 0);
    }
}
