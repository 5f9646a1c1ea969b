package features;

import java.util.AbstractList;
import java.util.List;

/** The same under the lock. */
public final class ViewOfOwnS {
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

    public synchronized int sum() {
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
