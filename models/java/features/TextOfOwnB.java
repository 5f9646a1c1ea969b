package features;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** The text of a set of an own class comes from the library, which calls the set's methods. */
public final class TextOfOwnB {
    private int n;
    private final Set<Integer> numbers = new AbstractSet<>() {
        @Override
        public Iterator<Integer> iterator() {
            n++;
            return List.of(1).iterator();
        }

        @Override
        public int size() {
            return 1;
        }
    };

    public String text() {
        return "numbers " + numbers;
    }

    public synchronized int n() {
        return n;
    }
}
