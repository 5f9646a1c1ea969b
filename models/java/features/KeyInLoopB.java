package features;

import java.util.concurrent.ConcurrentHashMap;

/** A cell is made before a loop that stores it under many keys. */
public final class KeyInLoopB {
    private static final class Cell {
        int n;
    }

    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();

    public void register(String[] keys) {
        Cell cell = new Cell();
        for (String key : keys) {
            cells.put(key, cell);
        }
    }

    public void count(String key) {
        cells.computeIfPresent(key, (same, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
