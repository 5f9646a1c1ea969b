package features;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** A function that runs for a key changes a cell that it has captured, not that of the key. */
public final class CapturedForKeyB {
    private static final class Cell {
        int n;
    }

    private final List<Cell> cells = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    public void add() {
        cells.add(new Cell());
    }

    public void count(String key, int index) {
        Cell cell = cells.get(index);
        counts.compute(key, (same, known) -> {
            cell.n++;
            return 1;
        });
    }
}
