package features;

/** Safe for threads: it locks what is given before it is known that this is an object of the class. */
public final class SyncOnGiven {
    private int count;
    private int sum;

    public synchronized void add(int value) {
        count++;
        sum += value;
    }

    public static void addTo(Object given, int value) {
        synchronized (given) {
            if (given instanceof SyncOnGiven) {
                SyncOnGiven it = (SyncOnGiven) given;
                it.count++;
                it.sum += value;
            }
        }
    }

    public static void addToFirst(Object[] given, int value) {
        Object first = given[0];
        synchronized (first) {
            if (first instanceof SyncOnGiven) {
                SyncOnGiven it = (SyncOnGiven) first;
                it.count++;
                it.sum += value;
            }
        }
    }
}
