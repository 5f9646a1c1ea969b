package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Cells in a map, locked. */
public class CellMapS {
    static class Cell {
        int v;
    }
    private final Map<String,Cell> m = new HashMap<>();
    public synchronized void inc(String k) {
        Cell c = m.get(k);
        if (c == null) m.put(k, c = new Cell());
        c.v++;
    }
    public synchronized int get(String k) {
        Cell c = m.get(k);
        return c == null ? 0 : c.v + c.v;
    }
}
