package features;

import java.util.Iterator;
import java.util.Spliterators;
import java.util.function.Consumer;

/** An iterator of the library asks a spliterator of the method for its elements. */
public final class AdvancedByIterator {
    private int n;

    public synchronized void grow() {
        n++;
    }

    public boolean isAny() {
        Iterator<Integer> all = Spliterators.iterator(new Spliterators.AbstractSpliterator<Integer>(1, 0) {
            @Override
            public boolean tryAdvance(Consumer<? super Integer> action) {
                return n++ < 0;
            }
        });
        return all.hasNext();
    }
}
