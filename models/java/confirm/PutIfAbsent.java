package confirm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Broken: a concurrent map: contains, then put. */
public final class PutIfAbsent {
    private final Map<String, String> names = new ConcurrentHashMap<>();

    public boolean register(String name, String value) {
        if (names.containsKey(name)) {
            return false;
        }
        names.put(name, value);
        return true;
    }

    public String get(String name) {
        return names.get(name);
    }
}
