package features;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Two calls on the wrapper are two steps. */
public class WrapperInFieldB {
    private volatile Map<String, Integer> counts = Collections.synchronizedMap(new HashMap<>());

    public void next(String key) {
        Integer count = counts.get(key);
        counts.put(key, count == null ? 1 : count + 1);
    }

    public void reset() {
        counts = Collections.synchronizedMap(new HashMap<>());
    }
}
