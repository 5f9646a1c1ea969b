package confirm;

/** Broken: a maximum is overwritten. */
public final class MinMax {
    private int min = Integer.MAX_VALUE;
    private int max = Integer.MIN_VALUE;

    public void add(int value) {
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
