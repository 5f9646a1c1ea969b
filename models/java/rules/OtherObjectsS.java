package rules;

/** A copy has cells of its own. */
public class OtherObjectsS {
    private final int[] cells;

    public OtherObjectsS() {
        cells = new int[2];
    }

    private OtherObjectsS(int[] cells) {
        this.cells = cells;
    }

    public synchronized OtherObjectsS copy() {
        return new OtherObjectsS(cells.clone());
    }

    public synchronized void add() {
        cells[0] = cells[0] + 1;
    }

    public synchronized int get() {
        return cells[0];
    }
}
