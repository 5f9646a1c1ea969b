package features;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The inherited forEach and spliterator call iterator once, and that makes a copy under the lock. */
public class InheritedSnapshotS implements Iterable<Integer> {
    private int low;
    private int high;
    public synchronized void move(int by) {
        low += by;
        high += by;
    }
    @Override
    public synchronized Iterator<Integer> iterator() {
        return new ArrayList<>(List.of(low, high)).iterator();
    }
}
