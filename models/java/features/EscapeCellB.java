package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Getter returns a cell with public methods. */
public class EscapeCellB {
    public static class Cell {
        private int v;
        public void inc() {
            v++;
        }
        public int get() {
            return v;
        }
    }
    private final Cell c = new Cell();
    public Cell cell() {
        return c;
    }
    public synchronized void inc() {
        c.inc();
    }
}
