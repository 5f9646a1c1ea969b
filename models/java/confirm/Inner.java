package confirm;

/** Broken: the state is in an object of its own. */
public final class Inner {
    private final Totals totals = new Totals();

    private static final class Totals {
        int count;
        int sum;
    }

    public void add(int value) {
        totals.count++;
        totals.sum += value;
    }

    public synchronized String describe() {
        return totals.count + " " + totals.sum;
    }
}
