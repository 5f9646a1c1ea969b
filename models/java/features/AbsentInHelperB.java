package features;

import java.util.concurrent.ConcurrentHashMap;

/** A missing value is added by a helper that replaces one that another thread has added. */
public class AbsentInHelperB {
    private final ConcurrentHashMap<String, Object> values = new ConcurrentHashMap<>();

    public Object getOrCreate(String name) {
        Object found = values.get(name);
        return found == null ? add(name, new Object()) : found;
    }

    private Object add(String name, Object value) {
        values.put(name, value);
        return value;
    }

    public void drop(String name) {
        values.remove(name);
    }
}
