package confirm;

import java.util.ArrayList;
import java.util.List;

/** Broken: a constructor copies another object step by step. */
public final class CopyConstructor {
    private final List<String> items = new ArrayList<>();

    public CopyConstructor() {
    }

    public CopyConstructor(CopyConstructor other) {
        int count = other.size();
        for (int i = 0; i < count; i++) {
            items.add(other.get(i));
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
