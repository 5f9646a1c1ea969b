package confirm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Repaired: a concurrent map: contains, then put. */
public final class PutIfAbsentRepaired {
    private final Map<String, String> names = new ConcurrentHashMap<>();

    public boolean register(String name, String value) {
        return names.putIfAbsent(name, value) == null;
    }

    public String get(String name) {
        return names.get(name);
    }
}
