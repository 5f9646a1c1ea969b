package features;

/** A constructor stores its object where others find it, and only then assigns its numbers. */
public class PublishedHalfMade {
    private static volatile PublishedHalfMade last;

    private int a;
    private int b;

    public PublishedHalfMade(int value) {
        last = this;
        a = value;
        b = value;
    }

    public static PublishedHalfMade last() {
        return last;
    }

    public synchronized boolean agrees() {
        return a == b;
    }
}
