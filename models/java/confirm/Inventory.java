package confirm;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Broken: an entry moves in two steps. */
public final class Inventory {
    private final Map<String, Integer> stock = new ConcurrentHashMap<>();

    public void put(String item, int count) {
        stock.put(item, count);
    }

    public void swap(String from, String to) {
        Integer count = stock.remove(from);
        stock.put(to, count == null ? 1 : count);
    }

    public Map<String, Integer> all() {
        return new TreeMap<>(stock);
    }
}
