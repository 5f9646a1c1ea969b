import java.util.*;
import java.util.stream.*;

/** Sorting compares the objects of a list. */
public class SortedObjects implements Comparable<SortedObjects> {
    private int a;
    public synchronized void set(int x) {
        a = x;
    }

    public int compareTo(SortedObjects o) {
        return a - o.a;
    }

    public static void sort(List<SortedObjects> l) {
        Collections.sort(l);
    }

    public static SortedObjects max(SortedObjects[] l) {
        return Stream.of(l).max(Comparator.naturalOrder()).orElse(null);
    }
}
