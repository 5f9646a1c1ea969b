package confirm;

import java.util.Hashtable;

/** Repaired: a hashtable as a cache: two objects for one key. */
public final class HashtableCacheRepaired {
    private final Hashtable<String, Object> cache = new Hashtable<>();

    public Object get(String key) {
        return cache.computeIfAbsent(key, any -> new Object());
    }
}
