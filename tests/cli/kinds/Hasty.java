package kinds;

/** A counter that a public field makes hasty. */
public class Hasty {
    public boolean isHasty;
    private int count;

    public int add() {
        if (isHasty) {
            return ++count;
        }
        synchronized (this) {
            return ++count;
        }
    }
}
