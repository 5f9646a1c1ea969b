package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Two names of one cell, two locks. */
public class AliasCellB {
    static class Cell {
        int v;
    }
    private final Cell x = new Cell();
    private final Cell y = x;
    private final Object l = new Object();
    public synchronized void inc() {
        x.v++;
    }
    public void dec() {
        synchronized(l) {
            y.v--;
        }
    }
}
