package features;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A collector stores the cells of a list in a map, under any number of keys. */
public final class KeyCollectedB {
    private static final class Cell {
        int n;
    }

    private final List<Cell> all = new CopyOnWriteArrayList<>();
    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();

    public void add() {
        all.add(new Cell());
    }

    public void index(String key) {
        all.stream().collect(Collectors.toMap(cell -> key, cell -> cell, (one, other) -> one, () -> cells));
    }

    public void count(String key) {
        cells.computeIfPresent(key, (same, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
