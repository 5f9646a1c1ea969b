package evidence;

/** As Ledger, but hardly any method takes the lock. */
public class LedgerOpen {
    private int sum;

    public synchronized void add(int amount) {
        sum += amount;
    }

    public int take(int amount) {
        sum -= amount;
        return sum;
    }

    public int sum() {
        return sum;
    }

    public void correct(int by) {
        sum = sum + by;
    }
}
