package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Sorted set's comparator writes a counter, all locked. */
public class FieldComparatorS {
    private int n;
    private final TreeSet<String> s;
    public FieldComparatorS() {
        s = new TreeSet<>((x, y) -> {
            n++;
            return x.compareTo(y);
        });
    }
    public synchronized void add(String k) {
        s.add(k);
    }
    public synchronized int get() {
        return n + n;
    }
}
