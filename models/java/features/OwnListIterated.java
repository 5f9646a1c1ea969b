package features;

import java.util.AbstractList;

/** The iterator of a list that the method makes calls methods of the list. */
public final class OwnListIterated {
    private int n;

    public synchronized void grow() {
        n++;
    }

    public int sum() {
        int sum = 0;
        for (int one : new AbstractList<Integer>() {
            @Override
            public Integer get(int index) {
                return n++;
            }

            @Override
            public int size() {
                return 3;
            }
        }) {
            sum += one;
        }
        return sum;
    }
}
