package features;

import java.util.concurrent.ConcurrentHashMap;

/** A function stores for its key what stands under another key. */
public final class KeyGivenB {
    private static final class Cell {
        int n;
    }

    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();

    public void register(String key) {
        cells.computeIfAbsent(key, same -> new Cell());
    }

    public void alias(String key, String other) {
        Cell cell = cells.get(key);
        if (cell != null) {
            cells.computeIfAbsent(other, same -> cell);
        }
    }

    public void count(String key) {
        cells.computeIfPresent(key, (same, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
