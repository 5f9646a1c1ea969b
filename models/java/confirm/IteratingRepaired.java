package confirm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Repaired: a synchronized list is iterated without its lock. */
public final class IteratingRepaired {
    private final List<Integer> values = Collections.synchronizedList(new ArrayList<>());

    public void add(int value) {
        values.add(value);
    }

    public int sum() {
        synchronized (values) {
            int sum = 0;
            for (int value : values) {
                sum += value;
            }
            return sum;
        }
    }
}
