package confirm;

/** Repaired: two fields that depend on each other. */
public final class RangeRepaired {
    private int lower = 0;
    private int upper = 10;

    public synchronized void setLower(int value) {
        if (value > upper) {
            throw new IllegalArgumentException();
        }
        lower = value;
    }

    public synchronized void setUpper(int value) {
        if (value < lower) {
            throw new IllegalArgumentException();
        }
        upper = value;
    }

    public synchronized boolean isValid() {
        return lower <= upper;
    }

    public synchronized String describe() {
        return lower + ".." + upper;
    }
}
