package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** AsList view of an array changed under another lock. */
public class AsListViewB {
    private final Integer[] a = {1, 2};
    private final List<Integer> v = Arrays.asList(a);
    private final Object l = new Object();
    public synchronized int sum() {
        return a[0] + a[1] + a[0];
    }
    public void set(int k) {
        synchronized(l) {
            v.set(0, v.get(0) + k);
        }
    }
}
