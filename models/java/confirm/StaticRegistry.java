package confirm;

import java.util.HashMap;
import java.util.Map;

/** Broken: a static map. */
public final class StaticRegistry {
    private static final Map<String, Integer> IDS = new HashMap<>();

    private StaticRegistry() {
    }

    public static int register(String name) {
        Integer known = IDS.get(name);
        if (known == null) {
            known = IDS.size();
            IDS.put(name, known);
        }
        return known;
    }

    public static synchronized int size() {
        return IDS.size();
    }
}
