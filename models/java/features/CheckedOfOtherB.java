package features;

import java.util.*;

/** Checked view of the list of another object. */
public class CheckedOfOtherB {
    private final List<Integer> l;
    public CheckedOfOtherB() {
        l = Collections.checkedList(new ArrayList<>(List.of(0)), Integer.class);
    }
    public CheckedOfOtherB(CheckedOfOtherB o) {
        l = Collections.checkedList(o.l, Integer.class);
    }
    public synchronized void inc() {
        l.set(0, l.get(0) + 1);
    }
    public synchronized int get() {
        return l.get(0);
    }
}
