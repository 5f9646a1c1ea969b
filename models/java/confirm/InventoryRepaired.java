package confirm;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Repaired: an entry moves in two steps. */
public final class InventoryRepaired {
    private final Map<String, Integer> stock = new ConcurrentHashMap<>();

    public void put(String item, int count) {
        synchronized (stock) {
            stock.put(item, count);
        }
    }

    public void swap(String from, String to) {
        synchronized (stock) {
            Integer count = stock.remove(from);
            stock.put(to, count == null ? 1 : count);
        }
    }

    public Map<String, Integer> all() {
        synchronized (stock) {
            return new TreeMap<>(stock);
        }
    }
}
