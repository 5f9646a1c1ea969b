package features;

import java.util.HashMap;
import java.util.Map;

/** A hidden cell is only used under the monitor of the object that makes and keeps it. */
public class HiddenCellS {
    private final Map<String, Cell> cells = new HashMap<>();

    public synchronized int next(String key) {
        return cells.computeIfAbsent(key, absent -> new Cell()).next();
    }

    static final class Cell {
        private volatile int count;

        public int next() {
            return ++count;
        }
    }
}
