package rules;

/** A lock of another object does not protect the cells of this one. */
public class OtherObjectsB {
    private final int[] cells = new int[2];
    private final OtherObjectsB parent;

    public OtherObjectsB(OtherObjectsB parent) {
        this.parent = parent;
    }

    public void add() {
        synchronized (parent) {
            cells[0] = cells[0] + 1;
        }
    }

    public synchronized int get() {
        return cells[0];
    }
}
