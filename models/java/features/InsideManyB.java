package features;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A list runs a function for each of its elements; what it counts is read in between. */
public final class InsideManyB {
    private final List<String> names = new CopyOnWriteArrayList<>();
    private volatile int looked;

    public void add(String name) {
        names.add(name);
    }

    public void clean() {
        names.removeIf(name -> {
            look();
            return name.isEmpty();
        });
    }

    private synchronized void look() {
        looked++;
    }

    public synchronized int looked() {
        return looked;
    }
}
