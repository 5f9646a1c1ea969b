package features;

/** A value is made once: the test is repeated under the lock, in a method of its own. */
public class RetestS {
    private static final Object NONE = new Object();
    private volatile Object value = NONE;
    private volatile int[] parts;

    public Object get() {
        if (value == NONE) {
            synchronized (this) {
                if (value == NONE) {
                    value = new Object();
                }
            }
        }
        return value;
    }

    public int size() {
        if (parts == null) {
            makeParts();
        }
        return parts.length;
    }

    private synchronized void makeParts() {
        if (parts == null) {
            parts = new int[8];
        }
    }
}
