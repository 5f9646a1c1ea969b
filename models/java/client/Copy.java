package client;

/** A copy of a range that is made while the range moves. */
public class Copy {
    private int low;
    private int high;

    public Copy() {
    }

    public Copy(Copy other) {
        low = other.low;
        high = other.high;
    }

    public synchronized void move(int by) {
        low += by;
        high += by;
    }
}
