package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Local alias within the lock. */
public class LocalAliasS {
    static class Cell {
        int v;
    }
    private final Cell c = new Cell();
    public void inc() {
        Cell d = c;
        synchronized(this) {
            d.v++;
        }
    }
    public synchronized int get() {
        return c.v + c.v;
    }
}
