package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Mutable elements of a copy-on-write list. */
public class CowMutableB {
    static class Cell {
        int v;
    }
    private final List<Cell> l = new CopyOnWriteArrayList<>();
    public void add() {
        l.add(new Cell());
    }
    public void inc() {
        for (Cell c : l) c.v++;
    }
}
