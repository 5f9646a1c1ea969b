package features;

import java.util.concurrent.ConcurrentHashMap;

/** One cell stands in two maps: the functions of the one do not wait for those of the other. */
public final class KeyOfTwoMapsB {
    private static final class Cell {
        int n;
    }

    private final ConcurrentHashMap<String, Cell> left = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Cell> right = new ConcurrentHashMap<>();

    public KeyOfTwoMapsB() {
        Cell shared = new Cell();
        left.put("k", shared);
        right.put("k", shared);
    }

    public void one() {
        left.computeIfPresent("k", (key, cell) -> {
            cell.n++;
            return cell;
        });
    }

    public void other() {
        right.computeIfPresent("k", (key, cell) -> {
            cell.n++;
            return cell;
        });
    }
}
