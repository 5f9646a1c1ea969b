package evidence;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Looks, and puts only what is still absent. */
public class Lengths {
    private final ConcurrentMap<String, Integer> lengths = new ConcurrentHashMap<>();

    public Integer of(String text) {
        Integer known = lengths.get(text);
        if (known == null) {
            Integer own = text.length();
            Integer other = lengths.putIfAbsent(text, own);
            known = other == null ? own : other;
        }
        return known;
    }

    public void forget() {
        lengths.clear();
    }
}
