package confirm;

import java.util.Vector;

/** Broken: a vector: contains, then add. */
public final class VectorAddIfAbsent {
    private final Vector<String> items = new Vector<>();

    public boolean addIfAbsent(String item) {
        if (items.contains(item)) {
            return false;
        }
        return items.add(item);
    }

    public int size() {
        return items.size();
    }
}
