package features;

import java.awt.Point;

/** A field of a part whose class is of the library is changed without a lock, and with one. */
public final class OutsidePartB {
    private final Point part = new Point();

    public void next() {
        part.x++;
    }

    public synchronized int last() {
        return part.x;
    }
}
