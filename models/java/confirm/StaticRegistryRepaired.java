package confirm;

import java.util.HashMap;
import java.util.Map;

/** Repaired: a static map. */
public final class StaticRegistryRepaired {
    private static final Map<String, Integer> IDS = new HashMap<>();

    private StaticRegistryRepaired() {
    }

    public static synchronized int register(String name) {
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
