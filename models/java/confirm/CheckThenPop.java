package confirm;

import java.util.ArrayList;
import java.util.List;

/** Broken: a test, then an action, each under the lock. */
public final class CheckThenPop {
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

    public String popOrNull() {
        return isEmpty() ? null : pop();
    }

    public synchronized int size() {
        return items.size();
    }
}
