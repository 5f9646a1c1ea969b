package features;

import java.util.function.Function;

/** A generic class of the program calls functions with what it holds: the type says nothing of it. */
public final class GenericBoxMaps {
    public static final class Box<T> {
        private final T held;

        public Box(T held) {
            this.held = held;
        }

        public <R> R map(Function<T, R> by) {
            return by.apply(held);
        }
    }

    private int a;
    private int b;

    public synchronized void grow() {
        a++;
        b++;
    }

    synchronized int a() {
        return a;
    }

    synchronized int b() {
        return b;
    }

    public static int difference(Box<GenericBoxMaps> box) {
        return box.map(GenericBoxMaps::a) - box.map(GenericBoxMaps::b);
    }
}
