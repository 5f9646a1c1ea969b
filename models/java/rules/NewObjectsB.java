package rules;

import java.util.Arrays;

/** The copy is changed outside of the lock, and replaces what others have changed meanwhile. */
public class NewObjectsB {
    private int[] cells = new int[1];

    public synchronized void add() {
        cells[0] = cells[0] + 1;
    }

    public void twice() {
        int[] copy;
        synchronized (this) {
            copy = Arrays.copyOf(cells, 1);
        }
        copy[0] = copy[0] * 2;
        synchronized (this) {
            cells = copy;
        }
    }
}
