package rules;

/** A call on the parent accesses the cells of another object, and this call its own without a lock. */
public class OtherObjectsB {
    private final int[] cells = new int[2];
    private final OtherObjectsB parent;

    public OtherObjectsB(OtherObjectsB parent) {
        this.parent = parent;
    }

    public void add() {
        cells[0] = cells[0] + 1;
        if (parent != null) {
            parent.add();
        }
    }

    public synchronized int get() {
        return cells[0];
    }
}
