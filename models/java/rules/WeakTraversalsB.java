package rules;

import java.util.Iterator;
import java.util.Vector;

/** The inherited {@code forEach} fails if the list changes meanwhile. */
public class WeakTraversalsB implements Iterable<String> {
    private final Vector<String> list = new Vector<>();

    public boolean add(String word) {
        return list.add(word);
    }

    @Override
    public Iterator<String> iterator() {
        return list.iterator();
    }
}
