package features;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** A field is assigned again; each of its values is a wrapper with a lock. */
public class WrapperInFieldS {
    private volatile Map<String, String> names = Collections.synchronizedMap(new HashMap<>());

    public void put(String key, String value) {
        names.put(key, value);
    }

    public String get(String key) {
        return names.get(key);
    }

    public void reset() {
        names = Collections.synchronizedMap(new HashMap<>());
    }
}
