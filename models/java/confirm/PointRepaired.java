package confirm;

/** Repaired: a pair is read while it is written. */
public final class PointRepaired {
    private int x;
    private int y;

    public synchronized void move(int by) {
        x += by;
        y += by;
    }

    public synchronized int[] read() {
        return new int[] {x, y};
    }
}
