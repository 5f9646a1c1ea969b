package features;

import java.util.List;
import java.util.function.ToIntFunction;

/** A generic method of the program calls functions with what a list of clients holds. */
public final class GenericFold {
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

    private static <T> int fold(Iterable<T> all, ToIntFunction<T> by) {
        int sum = 0;
        for (T one : all) {
            sum += by.applyAsInt(one);
        }
        return sum;
    }

    public static int difference(List<GenericFold> all) {
        return fold(all, GenericFold::a) - fold(all, GenericFold::b);
    }
}
