package features;

/** Not safe for threads: it locks another object than the one that it changes. */
public final class SyncOnOtherB {
    private int sum;

    public synchronized void add(int value) {
        sum += value;
    }

    public static void move(Object from, Object to, int value) {
        synchronized (from) {
            SyncOnOtherB source = (SyncOnOtherB) from;
            SyncOnOtherB target = (SyncOnOtherB) to;
            source.sum -= value;
            target.sum += value;
        }
    }
}
