package features;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The iterator of a view of a synchronized list holds no monitor. */
public class IteratedViewB {
    private final List<Integer> all = Collections.synchronizedList(new ArrayList<>());

    public void set(int value) {
        synchronized (all) {
            all.set(0, -value);
            all.set(0, value);
        }
    }

    public int first() {
        return Collections.checkedList(all, Integer.class).iterator().next();
    }
}
