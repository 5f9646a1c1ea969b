package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Record with a mutable component, locked. */
public class RecordMutableS {
    record R(int[] a, String s) {
    }
    private final R r = new R(new int[2], "x");
    public synchronized void add() {
        r.a()[0]++;
    }
    public synchronized int get() {
        return r.a[0] + r.a[1];
    }
}
