package features;

/** Not safe for threads: what is locked is one of two things, and the second one is changed without that lock, too. */
public final class SyncOnEitherB {
    static final class Left {
        int count;
    }

    static final class Right {
        int count;
    }

    private final Left left = new Left();
    private final Right right = new Right();

    public Object left() {
        return left;
    }

    public Object right() {
        return right;
    }

    public static void add(Object to) {
        synchronized (to) {
            if (to instanceof Left) {
                ((Left) to).count++;
            } else {
                ((Right) to).count++;
            }
        }
    }

    public synchronized void addToRight() {
        right.count++;
    }
}
