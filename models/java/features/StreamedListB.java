package features;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A stream of a synchronized list reads it without its monitor. */
public class StreamedListB {
    private final List<Integer> all = Collections.synchronizedList(new ArrayList<>());

    public void set(int index, int value) {
        all.set(index, value);
    }

    public List<Integer> copy() {
        return all.stream().toList();
    }
}
