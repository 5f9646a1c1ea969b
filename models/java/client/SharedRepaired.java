package client;

import java.util.ArrayList;
import java.util.List;

/** The list is guarded by the monitor of the class. */
public class SharedRepaired {
    private final List<String> names = new ArrayList<>();

    public void add(String name) {
        synchronized (SharedRepaired.class) {
            if (!names.contains(name)) {
                names.add(name);
            }
        }
    }

    public void clear() {
        synchronized (SharedRepaired.class) {
            names.clear();
        }
    }
}
