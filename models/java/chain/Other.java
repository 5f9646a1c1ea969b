package chain;

/** A unit of work reads a static field, calls a long chain of methods of another class, and writes two fields. */
public final class Other {
    static int a;
    static int b;

    private Other() {}

    public static void unit() {
        int read = a;
        Chain.link0();
        a = 1;
        b = 1;
    }
}
