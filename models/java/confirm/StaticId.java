package confirm;

/** Broken: a static counter. */
public final class StaticId {
    private static int last;

    private StaticId() {
    }

    public static int next() {
        return ++last;
    }
}
