package confirm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Broken: a synchronized list is iterated without its lock. */
public final class Iterating {
    private final List<Integer> values = Collections.synchronizedList(new ArrayList<>());

    public void add(int value) {
        values.add(value);
    }

    public int sum() {
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }
}
