package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Cell is changed in compute, read outside twice. */
public class ComputeInsideB {
    static class Cell {
        int v;
    }
    private final ConcurrentHashMap<String,Cell> m = new ConcurrentHashMap<>();
    public void inc(String k) {
        m.compute(k, (x, c) -> {
            if (c == null) c = new Cell();
            c.v++;
            return c;
        });
    }
    public int read(String k) {
        Cell c = m.get(k);
        return c == null ? 0 : c.v - c.v;
    }
}
