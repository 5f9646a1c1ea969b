package features;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One cell is in two lists, each of which runs a function inside of its step. */
public final class InsideTwoListsB {
    private static final class Cell {
        int n;
    }

    private final List<Cell> left = new CopyOnWriteArrayList<>();
    private final List<Cell> right = new CopyOnWriteArrayList<>();

    public InsideTwoListsB() {
        Cell shared = new Cell();
        left.add(shared);
        right.add(shared);
    }

    public void one() {
        left.removeIf(cell -> cell.n++ > 100_000_000);
    }

    public void other() {
        right.removeIf(cell -> cell.n++ > 100_000_000);
    }
}
