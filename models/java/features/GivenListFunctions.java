package features;

import java.util.List;

/** A static method runs functions over a list of clients that may hold the object: it reads twice. */
public final class GivenListFunctions {
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

    public static int difference(List<GivenListFunctions> all) {
        return all.stream().mapToInt(GivenListFunctions::a).sum() - all.stream().mapToInt(one -> one.b()).sum();
    }
}
