package confirm;

/** Repaired: the state is in an object of its own. */
public final class InnerRepaired {
    private final Totals totals = new Totals();

    private static final class Totals {
        int count;
        int sum;
    }

    public synchronized void add(int value) {
        totals.count++;
        totals.sum += value;
    }

    public synchronized String describe() {
        return totals.count + " " + totals.sum;
    }
}
