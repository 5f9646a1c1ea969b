package features;

import java.util.concurrent.ConcurrentHashMap;

/** A missing value is added by a helper that does not replace one that another thread has added. */
public class AbsentInHelperS {
    private final ConcurrentHashMap<String, Object> values = new ConcurrentHashMap<>();

    public Object getOrCreate(String name) {
        Object found = values.get(name);
        return found == null ? add(name, new Object()) : found;
    }

    private Object add(String name, Object value) {
        Object known = values.putIfAbsent(name, value);
        return known == null ? value : known;
    }

    public void drop(String name) {
        values.remove(name);
    }
}
