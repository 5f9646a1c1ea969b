package features;

/** The key changes between the choice of the lock and that of the counter. */
public class StripeExpressionB {
    private final int[] counters = new int[16];
    private final Object[] locks = new Object[16];

    public StripeExpressionB() {
        for (int at = 0; at < 16; at++) locks[at] = new Object();
    }

    public int increment(int key) {
        synchronized (locks[key & 15]) {
            return ++counters[key & 15];
        }
    }

    public int decrement(int key) {
        synchronized (locks[key & 15]) {
            key++;
            return --counters[key & 15];
        }
    }
}
