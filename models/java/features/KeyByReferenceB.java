package features;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A reference to a method that a map has from its superclass stores cells under any number of keys. */
public final class KeyByReferenceB {
    private static final class Cell {
        int n;
    }

    private static final class Cells extends ConcurrentHashMap<String, Cell> {
        private static final long serialVersionUID = 1;
    }

    private final Cell shared = new Cell();
    private final Cells cells = new Cells();

    public void register(String key) {
        Map<String, Cell> found = new TreeMap<>();
        found.put(key, shared);
        found.forEach(cells::put);
    }

    public void count(String key) {
        cells.computeIfPresent(key, (same, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
