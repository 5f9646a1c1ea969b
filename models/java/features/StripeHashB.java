package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Stripes by hash, one method without lock. */
public class StripeHashB {
    private static class Seg {
        final Map<String,Integer> m = new HashMap<>();
    }
    private final Seg[] segs = new Seg[4];
    public StripeHashB() {
        for (int i = 0; i < 4; i++) segs[i] = new Seg();
    }
    private Seg seg(String k) {
        return segs[k.hashCode() & 3];
    }
    public void inc(String k) {
        Seg s = seg(k);
        s.m.merge(k, 1, Integer::sum);
    }
    public int get(String k) {
        Seg s = seg(k);
        synchronized(s) {
            return s.m.getOrDefault(k, 0);
        }
    }
}
