package features;

import java.util.AbstractList;
import java.util.List;

/** A part of a list of its own class is kept in a field, and asks the list for its elements, which counts. */
public final class ViewKeptB {
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
    private final List<Integer> first = numbers.subList(0, 1);

    public synchronized void inc() {
        n++;
    }

    public int first() {
        return first.get(0);
    }
}
