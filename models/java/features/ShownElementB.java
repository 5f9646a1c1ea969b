package features;

import java.util.Collections;
import java.util.Iterator;

/** Passes an element that an own iterator shows to a function. */
public class ShownElementB {
    private final int[] cell = new int[1];
    private int calls;

    public void add() {
        new Cells(cell).forEach(shown -> shown[0]++);
    }

    public synchronized int count() {
        return ++calls;
    }

    private static final class Cells implements Iterable<int[]> {
        private final int[] only;

        Cells(int[] only) {
            this.only = only;
        }

        @Override
        public Iterator<int[]> iterator() {
            return Collections.singletonList(only).iterator();
        }
    }
}
