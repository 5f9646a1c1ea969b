package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Objects in a map with methods, all locked. */
public class MapValueObjS {
    static class Acc {
        private int bal;
        void add(int k) {
            bal += k;
        }
        int get() {
            return bal;
        }
    }
    private final Map<String,Acc> m = new HashMap<>();
    public synchronized void add(String k, int v) {
        m.computeIfAbsent(k, x -> new Acc()).add(v);
    }
    public synchronized int sum() {
        int s = 0;
        for (Acc a : m.values()) s += a.get();
        return s;
    }
    public synchronized void move(String a, String b, int k) {
        Acc x = m.get(a), y = m.get(b);
        if (x != null && y != null) {
            x.add(-k);
            y.add(k);
        }
    }
}
