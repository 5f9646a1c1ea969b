package confirm;

/** Repaired: a maximum is overwritten. */
public final class MinMaxRepaired {
    private int min = Integer.MAX_VALUE;
    private int max = Integer.MIN_VALUE;

    public synchronized void add(int value) {
        if (value < min) {
            min = value;
        }
        if (value > max) {
            max = value;
        }
    }

    public synchronized int min() {
        return min;
    }

    public synchronized int max() {
        return max;
    }
}
