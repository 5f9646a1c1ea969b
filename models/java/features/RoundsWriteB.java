package features;

/** A loop that waits for a number writes another one in each round. */
public final class RoundsWriteB {
    private int x;
    private int y;

    public void until() {
        while (true) {
            x = 1;
            if (y == 0) {
                break;
            }
        }
    }

    public void close() {
        y = 1;
    }

    public void open() {
        x = 3;
        y = 0;
    }
}
