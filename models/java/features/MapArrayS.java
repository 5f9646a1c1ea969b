package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Array in a concurrent map, locked. */
public class MapArrayS {
    private final ConcurrentHashMap<String,int[]> m = new ConcurrentHashMap<>();
    public synchronized void inc(String k) {
        int[] a = m.get(k);
        if (a == null) m.put(k, a = new int[1]);
        a[0]++;
    }
    public synchronized int get(String k) {
        int[] a = m.get(k);
        return a == null ? 0 : a[0];
    }
}
