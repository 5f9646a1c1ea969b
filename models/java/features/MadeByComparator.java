package features;

import java.util.Collection;
import java.util.Comparator;
import java.util.TreeSet;

/** Sorted sets that a static method makes compare objects of clients by two fields, one after the other. */
public final class MadeByComparator {
    private int a;
    private int b;

    public synchronized void grow() {
        a++;
        b++;
    }

    synchronized int a() {
        return a;
    }

    synchronized int b() {
        return b;
    }

    public static boolean isAlike(Collection<MadeByComparator> all) {
        TreeSet<MadeByComparator> first = new TreeSet<>(Comparator.comparing(MadeByComparator::a));
        TreeSet<MadeByComparator> second = new TreeSet<>(Comparator.comparing(MadeByComparator::b));
        return first.addAll(all) == second.addAll(all);
    }
}
