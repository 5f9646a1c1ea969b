package features;

import java.util.Optional;

/** A static method runs one function, which locks, on what an optional of clients holds. */
public final class GivenOptionalS {
    private int a;
    private int b;

    public synchronized void grow() {
        a++;
        b++;
    }

    synchronized int difference() {
        return a - b;
    }

    public static int difference(Optional<GivenOptionalS> one) {
        return one.map(GivenOptionalS::difference).orElse(0);
    }
}
