package features;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedList;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;

/** The same by methods that visit all elements in one step. */
public class VisitedVectorS {
    private final Vector<Integer> all = new Vector<>();
    private final CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>();

    public void set(int index, int value) {
        all.set(index, value);
    }

    public void setCopied(int index, int value) {
        copied.set(index, value);
    }

    public Collection<Integer> copy() {
        return new ArrayList<>(all);
    }

    public Collection<Integer> linked() {
        Collection<Integer> found = new LinkedList<>();
        found.addAll(all);
        return found;
    }

    public Collection<Integer> queue() {
        return new ArrayDeque<>(all);
    }

    public Integer greatest() {
        return Collections.max(copied);
    }
}
