package features;

import java.util.concurrent.ConcurrentMap;

/** Clients give a map with cells, which the class casts to their type and changes without a lock. */
public class ClientCellsB {
    public static class Cell {
        private int count;
    }

    private final ConcurrentMap<String, Cell> cells;

    public ClientCellsB(ConcurrentMap<String, Cell> cells) {
        this.cells = cells;
    }

    public void act(String key) {
        Cell cell = cells.get(key);
        if (cell != null) {
            cell.count = cell.count + 1;
        }
    }
}
