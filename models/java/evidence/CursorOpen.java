package evidence;

/** As Cursor, but everybody may make the step. */
public class CursorOpen {
    private volatile int at;
    private volatile int moves;

    public synchronized void move(int by) {
        advance(by);
    }

    public void advance(int by) {
        at = at + by;
        moves = moves + 1;
    }
}
