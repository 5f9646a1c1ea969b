package statics;

import java.util.HashMap;
import java.util.Map;

/** Numbers for names, kept in static fields: each step is under a lock, but not all of them under one. */
public final class Numbers {
    private static final Map<String, Integer> KNOWN = new HashMap<>();
    private static int next;

    private Numbers() {}

    public static int of(String name) {
        synchronized (KNOWN) {
            Integer number = KNOWN.get(name);
            if (number != null) {
                return number;
            }
        }
        int number = take();
        synchronized (KNOWN) {
            KNOWN.put(name, number);
        }
        return number;
    }

    private static synchronized int take() {
        return next++;
    }
}
