package features;

import java.util.concurrent.ConcurrentHashMap;

/** A cell that stands under one key is stored under another one as well. */
public final class MovedKeyB {
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
            cells.put(other, cell);
        }
    }

    public void count(String key) {
        cells.computeIfPresent(key, (same, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
