package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Collections.max under the lock. */
public class MaxS {
    private final List<Integer> l = new ArrayList<>();
    public synchronized void add(int k) {
        l.add(k);
        l.add(-k);
    }
    public synchronized int max() {
        return l.isEmpty() ? 0 : Collections.max(l);
    }
}
