package evidence;

/** The same, but the limit moves by itself. */
public class ThresholdMoved {
    private volatile long limit;

    public boolean allows(long number) {
        return limit > 0 && number < limit;
    }

    public synchronized void move(int by) {
        limit = limit + by;
    }
}
