package confirm;

import java.util.Vector;

/** Repaired: a vector: contains, then add. */
public final class VectorAddIfAbsentRepaired {
    private final Vector<String> items = new Vector<>();

    public boolean addIfAbsent(String item) {
        synchronized (items) {
            if (items.contains(item)) {
                return false;
            }
            return items.add(item);
        }
    }

    public int size() {
        return items.size();
    }
}
