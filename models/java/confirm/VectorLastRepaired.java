package confirm;

import java.util.Vector;

/** Repaired: a vector: size, then get. */
public final class VectorLastRepaired {
    private final Vector<String> items = new Vector<>();

    public void add(String item) {
        items.add(item);
    }

    public String last() {
        synchronized (items) {
            return items.isEmpty() ? null : items.get(items.size() - 1);
        }
    }

    public void removeLast() {
        synchronized (items) {
            if (!items.isEmpty()) {
                items.remove(items.size() - 1);
            }
        }
    }
}
