package order;

/** All methods lock but one. */
public class Reset {
    private int count;

    public synchronized void add() {
        count++;
    }

    public synchronized void subtract() {
        count--;
    }

    public void reset() {
        count = 0;
    }
}
