package statics;

/** A count that its class protects, and a class beside it that does not. */
public final class Shared {
    static int count;

    private Shared() {}

    public static synchronized void add() {
        count++;
    }
}

final class Beside {
    private Beside() {}

    static void reset() {
        Shared.count = 0;
    }
}
