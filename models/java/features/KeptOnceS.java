package features;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Each cell and each list is made for the one key under which it is stored. */
public final class KeptOnceS {
    private static final class Cell {
        int n;
    }

    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, List<String>> names = new ConcurrentHashMap<>();

    public void registerOne(String key) {
        cells.computeIfAbsent(key, same -> made());
    }

    private static Cell made() {
        return new Cell();
    }

    public void count(String key) {
        cells.compute(key, (same, cell) -> {
            Cell known = cell == null ? new Cell() : cell;
            known.n++;
            return known;
        });
    }

    public void name(String key, String name) {
        names.merge(key, new ArrayList<>(List.of(name)), (known, given) -> {
            known.addAll(given);
            return known;
        });
    }

    public void rename(String key, String from, String to) {
        names.computeIfPresent(key, (same, known) -> {
            if (known.remove(from)) {
                known.add(to);
            }
            return known;
        });
    }
}
