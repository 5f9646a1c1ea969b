package confirm;

/** Repaired: two locks for one field. */
public final class TwoLocksRepaired {
    private final Object first = new Object();
    private final Object second = new Object();
    private int value;

    public int add(int by) {
        synchronized (first) {
            value += by;
            return value;
        }
    }

    public void reset() {
        synchronized (first) {
            value = 0;
        }
    }

    public int get() {
        synchronized (first) {
            return value;
        }
    }
}
