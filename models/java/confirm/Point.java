package confirm;

/** Broken: a pair is read while it is written. */
public final class Point {
    private int x;
    private int y;

    public void move(int by) {
        x += by;
        y += by;
    }

    public int[] read() {
        return new int[] {x, y};
    }
}
