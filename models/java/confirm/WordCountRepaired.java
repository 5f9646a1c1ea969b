package confirm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Repaired: a concurrent map: get, then put. */
public final class WordCountRepaired {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    public void count(String word) {
        counts.merge(word, 1, Integer::sum);
    }

    public int get(String word) {
        return counts.getOrDefault(word, 0);
    }
}
