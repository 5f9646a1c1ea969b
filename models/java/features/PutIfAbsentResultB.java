package features;

import java.util.concurrent.ConcurrentHashMap;

/** The cell is in the map before it is filled; the result of the call is kept. */
public class PutIfAbsentResultB {
    private static final class Cell {
        private int first;
        private int second;
    }

    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();

    public void make(String key) {
        Cell cell = new Cell();
        Cell known = cells.putIfAbsent(key, cell);
        if (known != null) return;
        cell.first = 1;
        cell.second = 1;
    }

    public int difference(String key) {
        Cell cell = cells.get(key);
        return cell == null ? 0 : cell.first - cell.second;
    }
}
