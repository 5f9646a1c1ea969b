package statics;

import java.util.HashMap;
import java.util.Map;

/** The same under one lock. Another class of the package starts anew, under it, too. */
public final class NumbersRepaired {
    static final Map<String, Integer> KNOWN = new HashMap<>();
    static int next;

    private NumbersRepaired() {}

    public static synchronized int of(String name) {
        Integer number = KNOWN.get(name);
        if (number == null) {
            number = take();
            KNOWN.put(name, number);
        }
        return number;
    }

    private static int take() {
        return next++;
    }
}

final class Eraser {
    private Eraser() {}

    static void erase() {
        synchronized (NumbersRepaired.class) {
            NumbersRepaired.KNOWN.clear();
            NumbersRepaired.next = 0;
        }
    }
}
