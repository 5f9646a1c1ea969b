package features;

/** A constructor stores its object where others find it, and only then assigns its numbers and its lock. */
public class PublishedHalfMade {
    private static volatile PublishedHalfMade last;

    private int a;
    private int b;
    private final Object lock;

    public PublishedHalfMade(int value) {
        last = this;
        lock = new Object();
        a = value;
        b = value;
    }

    public static PublishedHalfMade last() {
        return last;
    }

    public boolean agrees() {
        synchronized (lock) {
            return a == b;
        }
    }
}
