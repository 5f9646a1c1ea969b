package evidence;

/** A step that only the class itself makes, one for each move. */
public class Cursor {
    private volatile int at;
    private volatile int moves;

    public synchronized void move(int by) {
        advance(by);
    }

    /** Not for others. */
    protected void advance(int by) {
        at = at + by;
        moves = moves + 1;
    }
}
