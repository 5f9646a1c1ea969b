package client;

/** Locks elements that are replaced by others. */
public class Renewed {
    private final Object[] locks = {new Object(), new Object()};
    private final Object[] renewed = {new Object(), new Object()};
    private final int[] counts = new int[2];

    public void add(int index) {
        synchronized (renewed[index]) {
            counts[index]++;
        }
    }

    public void renew(int index) {
        synchronized (locks[index]) {
            renewed[index] = new Object();
        }
    }
}
