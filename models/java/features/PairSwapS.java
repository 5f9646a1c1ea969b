package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Generic pair of cells. */
public class PairSwapS {
    static class Pair<A, B> {
        A a;
        B b;
        Pair(A a, B b) {
            this.a = a;
            this.b = b;
        }
    }
    static class Cell {
        int v;
    }
    private final Pair<Cell, Cell> p = new Pair<>(new Cell(), new Cell());
    public synchronized void swap() {
        Cell x = p.a;
        p.a = p.b;
        p.b = x;
        p.a.v++;
    }
    public synchronized int diff() {
        return p.a.v - p.b.v;
    }
}
