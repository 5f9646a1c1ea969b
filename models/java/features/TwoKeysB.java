package features;

import java.util.concurrent.ConcurrentHashMap;

/** One cell stands under any number of keys of a map. */
public final class TwoKeysB {
    private static final class Cell {
        int n;
    }

    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();
    private final Cell shared = new Cell();

    public void register(String key) {
        cells.put(key, shared);
    }

    public void count(String key) {
        cells.computeIfPresent(key, (same, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
