package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Cell is set before it is published. */
public class PublishEarlyS {
    static class Cell {
        int a, b;
    }
    private volatile Cell c = new Cell();
    public synchronized void set(int k) {
        Cell n = new Cell();
        n.a = k;
        n.b = k;
        c = n;
    }
    public int diff() {
        Cell n = c;
        return n.a - n.b;
    }
}
