package features;

import java.util.Collections;
import java.util.Iterator;

/** The same under the lock. */
public class ShownElementS {
    private final int[] cell = new int[1];
    private int calls;

    public synchronized void add() {
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
