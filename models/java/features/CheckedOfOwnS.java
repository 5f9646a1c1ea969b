package features;

import java.util.*;

/** Checked views of own lists. */
public class CheckedOfOwnS {
    private final List<Integer> kept;
    private final List<Integer> l;
    public CheckedOfOwnS() {
        kept = new ArrayList<>(List.of(0));
        l = Collections.checkedList(Collections.synchronizedList(kept), Integer.class);
    }
    public CheckedOfOwnS(CheckedOfOwnS o) {
        kept = new ArrayList<>(List.of(o.get()));
        l = Collections.checkedList(Collections.synchronizedList(kept), Integer.class);
    }
    public synchronized void inc() {
        l.set(0, kept.get(0) + 1);
    }
    public synchronized int get() {
        return l.get(0);
    }
}
