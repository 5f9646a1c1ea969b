package features;

import java.util.concurrent.ConcurrentMap;

/** Clients give a map with cells, which the class changes under the lock of the map. */
public class ClientCellsS {
    public static class Cell {
        private int count;
    }

    private final ConcurrentMap<String, Cell> cells;

    public ClientCellsS(ConcurrentMap<String, Cell> cells) {
        this.cells = cells;
    }

    public synchronized void act(String key) {
        Cell cell = cells.get(key);
        if (cell != null) {
            cell.count = cell.count + 1;
        }
    }
}
