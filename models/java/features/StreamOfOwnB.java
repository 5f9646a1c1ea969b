package features;

import java.util.AbstractList;
import java.util.List;

/** A stream of a list of an own class calls the list's methods when it is used. */
public final class StreamOfOwnB {
    private int n;
    private final List<Integer> numbers = new AbstractList<>() {
        @Override
        public Integer get(int index) {
            return n++;
        }

        @Override
        public int size() {
            return 2;
        }
    };

    public int sum() {
        return numbers.stream().mapToInt(number -> number).sum();
    }

    public synchronized int n() {
        return n;
    }
}
