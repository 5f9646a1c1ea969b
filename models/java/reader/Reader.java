package reader;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What a reader of class files must understand; see java/tests/reading.rs. */
public class Reader extends Base implements Shape {
    @Retention(RetentionPolicy.CLASS)
    @interface GuardedBy {
        String value();

        int[] levels() default {};
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Checked {
        Class<?> by();

        GuardedBy[] inner() default {};
    }

    enum Colour { RED, GREEN }

    record Point(int x, long y) {}

    @GuardedBy(value = "this", levels = {1, 2})
    private volatile int count;

    private static final Object LOCK = new Object();
    long[] longs = new long[4];
    double[][] grid = new double[3][];

    @Checked(by = Reader.class, inner = {@GuardedBy("a"), @GuardedBy(value = "b", levels = 3)})
    public synchronized int next() {
        return count++;
    }

    @Override
    public Reader self() {
        return this;
    }

    @Override
    public int area() {
        return Shape.super.area() + super.area();
    }

    void monitors(Object other) {
        synchronized (this) {
            synchronized (other) {
                count = 1;
            }
        }
        synchronized (LOCK) {
            count = 2;
        }
    }

    long slots(int index, long by) {
        longs[index] += by;
        long before = longs[index]++;
        double[] row = grid[index];
        double last = row[index]--;
        long chained = longs[0] = longs[1] = by;
        return before + chained + (long) last;
    }

    int choose(int dense, int sparse, String text) {
        int found;
        switch (dense) {
            case 1: found = 10; break;
            case 2: found = 20; break;
            case 4: found = 40; break;
            default: found = 0;
        }
        switch (sparse) {
            case -1000000: found += 1; break;
            case 1000000: found += 2; break;
        }
        return text == null ? found : text.length();
    }

    int handlers(Object value) {
        try {
            return ((Number) value).intValue();
        } catch (ClassCastException | NullPointerException wrong) {
            return -1;
        } finally {
            count = 3;
        }
    }

    IntSupplier lambda(int captured) {
        return () -> captured + count;
    }

    Supplier<Integer> bound() {
        return this::next;
    }

    Supplier<Reader> constructor() {
        return Reader::new;
    }

    String text(Object value) {
        return "count=" + count + " of " + value + '\u00e9' + "\ud800";
    }

    int private_access(Inner inner) {
        return inner.hidden;
    }

    Object arrays() {
        Object[] many = new String[2];
        int[][][] cube = new int[2][3][];
        boolean isThere = many instanceof String[] && cube != null;
        return isThere ? many.clone() : cube;
    }

    native void outside();

    class Inner {
        private int hidden = count;
    }

    static class Special extends Reader {
        @Override
        public synchronized int next() {
            return super.next() + 1;
        }
    }
}

interface Shape {
    Shape self();

    default int area() {
        return 1;
    }
}

interface Square extends Shape {
    @Override
    default int area() {
        return 4;
    }
}

abstract class Base {
    public int area() {
        return 2;
    }

    public abstract int next();

    private int own() {
        return 5;
    }
}

/** Inherits `area` from two interfaces, of which one is more special. */
class Both implements Shape, Square {
    @Override
    public Shape self() {
        return this;
    }
}

/** Implements an interface by what it inherits from a class that does not know it. */
class Counter {
    public int area() {
        return 7;
    }
}

class Implements extends Counter implements Shape {
    @Override
    public Shape self() {
        return null;
    }
}
