package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Cell of a concurrent map is changed in compute. */
public class ComputeInsideS {
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
}
