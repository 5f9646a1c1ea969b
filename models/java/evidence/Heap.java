package evidence;

import java.util.AbstractCollection;
import java.util.Iterator;

/** A plain collection, which others make safe. */
public class Heap extends AbstractCollection<String> {
    private String[] elements = new String[8];
    private int size;

    @Override
    public boolean add(String one) {
        elements[size++] = one;
        return true;
    }

    @Override
    public void clear() {
        elements = new String[8];
        size = 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<String> iterator() {
        return new Iterator<String>() {
            private int at;

            @Override
            public boolean hasNext() {
                return at < size;
            }

            @Override
            public String next() {
                return elements[at++];
            }
        };
    }
}
