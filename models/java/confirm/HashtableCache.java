package confirm;

import java.util.Hashtable;

/** Broken: a hashtable as a cache: two objects for one key. */
public final class HashtableCache {
    private final Hashtable<String, Object> cache = new Hashtable<>();

    public Object get(String key) {
        Object known = cache.get(key);
        if (known == null) {
            known = new Object();
            cache.put(key, known);
        }
        return known;
    }
}
