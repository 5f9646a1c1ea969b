package features;

import java.util.AbstractList;
import java.util.List;

/** An iterator that the library makes of a list of its own class calls the list's methods, which count. */
public final class ViewOfOwnB {
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
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public synchronized int n() {
        return n;
    }
}
