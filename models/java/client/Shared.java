package client;

import java.util.ArrayList;
import java.util.List;

/** The list is guarded by the monitor of the class in one method, by that of the object in the other. */
public class Shared {
    private final List<String> names = new ArrayList<>();

    public void add(String name) {
        synchronized (Shared.class) {
            if (!names.contains(name)) {
                names.add(name);
            }
        }
    }

    public synchronized void clear() {
        names.clear();
    }
}
