package features;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;

/** The inherited containsAll calls contains once for each element. */
public class InheritedWholeB extends AbstractCollection<String> {
    private final ArrayList<String> held = new ArrayList<>();
    public synchronized void replace(String first, String second) {
        held.clear();
        held.add(first);
        held.add(second);
    }
    @Override
    public synchronized boolean contains(Object one) {
        return held.contains(one);
    }
    @Override
    public synchronized Iterator<String> iterator() {
        return new ArrayList<>(held).iterator();
    }
    @Override
    public int size() {
        return 2;
    }
}
