package confirm;

import java.util.ArrayList;
import java.util.List;

/** Repaired: a test, then an action, each under the lock. */
public final class CheckThenPopRepaired {
    private final List<String> items = new ArrayList<>();

    public synchronized void push(String item) {
        items.add(item);
    }

    public synchronized String pop() {
        return items.remove(items.size() - 1);
    }

    public synchronized boolean isEmpty() {
        return items.isEmpty();
    }

    public synchronized String popOrNull() {
        return isEmpty() ? null : pop();
    }

    public synchronized int size() {
        return items.size();
    }
}
