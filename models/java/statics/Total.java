package statics;

/** Counts all of its objects up under the lock of one of them: only an instance method that locks speaks of the field. */
public final class Total {
    private static int total;

    private int own;

    public synchronized void add() {
        own++;
        total++;
    }
}
