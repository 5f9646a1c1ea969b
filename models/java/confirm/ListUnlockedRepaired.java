package confirm;

import java.util.ArrayList;
import java.util.List;

/** Repaired: a list without a lock. */
public final class ListUnlockedRepaired {
    private final List<String> list = new ArrayList<>();

    public synchronized void add(String item) {
        list.add(item);
    }

    public synchronized List<String> items() {
        return new ArrayList<>(list);
    }
}
