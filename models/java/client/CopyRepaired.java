package client;

/** A copy of a range, made with the lock of the range. */
public class CopyRepaired {
    private int low;
    private int high;

    public CopyRepaired() {
    }

    public CopyRepaired(CopyRepaired other) {
        synchronized (other) {
            low = other.low;
            high = other.high;
        }
    }

    public synchronized void move(int by) {
        low += by;
        high += by;
    }
}
