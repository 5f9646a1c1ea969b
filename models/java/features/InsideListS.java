package features;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Functions that one list runs inside of its step exclude each other. */
public final class InsideListS {
    private static final class Cell {
        int n;
    }

    private final List<Cell> cells = new CopyOnWriteArrayList<>();

    public void add() {
        cells.add(new Cell());
    }

    public void age() {
        cells.removeIf(cell -> cell.n++ > 100);
    }

    public void ageFast() {
        cells.removeIf(cell -> {
            cell.n += 10;
            return cell.n > 100;
        });
    }
}
