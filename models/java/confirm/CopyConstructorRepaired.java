package confirm;

import java.util.ArrayList;
import java.util.List;

/** Repaired: a constructor copies another object step by step. */
public final class CopyConstructorRepaired {
    private final List<String> items = new ArrayList<>();

    public CopyConstructorRepaired() {
    }

    public CopyConstructorRepaired(CopyConstructorRepaired other) {
        synchronized (other) {
            items.addAll(other.items);
        }
    }

    public synchronized void add(String item) {
        items.add(item);
    }

    public synchronized void clear() {
        items.clear();
    }

    public synchronized int size() {
        return items.size();
    }

    public synchronized String get(int place) {
        return items.get(place);
    }
}
