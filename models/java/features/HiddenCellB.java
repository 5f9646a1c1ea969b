package features;

import java.util.HashMap;
import java.util.Map;

/** One method uses the hidden cells without the monitor. */
public class HiddenCellB {
    private final Map<String, Cell> cells = new HashMap<>();

    public synchronized int next(String key) {
        return cells.computeIfAbsent(key, absent -> new Cell()).next();
    }

    public int again(String key) {
        Cell cell = cells.get(key);
        return cell == null ? 0 : cell.next();
    }

    static final class Cell {
        private volatile int count;

        public int next() {
            return ++count;
        }
    }
}
