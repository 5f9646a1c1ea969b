package features;

import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;

/** The library reads an own collection through a view of it, by iterators that count without a lock. */
public class SyncedOwnB {
    private int reads;

    private class Own extends AbstractCollection<Integer> {
        @Override
        public int size() {
            return 2;
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int at;

                @Override
                public boolean hasNext() {
                    reads = reads + 1;
                    return at < 2;
                }

                @Override
                public Integer next() {
                    return at++;
                }
            };
        }
    }

    public void act() {
        Collections.synchronizedCollection(new Own()).forEach(number -> { });
    }

    public synchronized void reset() {
        reads = 0;
    }
}
