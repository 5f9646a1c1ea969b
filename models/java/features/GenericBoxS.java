package features;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.stream.*;

/** Generic holder, locked. */
public class GenericBoxS {
    static class Box<T> {
        T v;
        Box(T v) {
            this.v = v;
        }
    }
    private final Box<int[]> b = new Box<>(new int[1]);
    public synchronized void inc() {
        b.v[0]++;
    }
    public synchronized int get() {
        return b.v[0];
    }
}
