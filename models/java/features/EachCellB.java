package features;

import java.util.concurrent.ConcurrentMap;

/** Clients give a map with cells, which a function that the map calls changes without a lock. */
public class EachCellB {
    public static class Cell {
        private int count;
    }

    private final ConcurrentMap<String, Cell> cells;

    public EachCellB(ConcurrentMap<String, Cell> cells) {
        this.cells = cells;
    }

    public void act() {
        cells.values().forEach(cell -> cell.count = cell.count + 1);
    }
}
