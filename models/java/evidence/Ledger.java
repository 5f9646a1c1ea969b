package evidence;

/** One method of many does without the lock. */
public class Ledger {
    private int sum;

    public synchronized void add(int amount) {
        sum += amount;
    }

    public synchronized int take(int amount) {
        sum -= amount;
        return sum;
    }

    public synchronized int sum() {
        return sum;
    }

    public void correct(int by) {
        sum = sum + by;
    }
}
