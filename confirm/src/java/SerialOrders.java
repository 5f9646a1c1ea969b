package asercheck.confirm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcomes of the serial orders. An entry that differs between two runs of one order counts no longer for this
 * order.
 */
final class SerialOrders {
    private final List<Map<String, String>> orders = new ArrayList<>();

    SerialOrders(int count) {
        for (int i = 0; i < count; i++) {
            orders.add(null);
        }
    }

    /** Returns the steps of the order in which some calls of the second side come before the first side. */
    static Steps steps(int before, int calls) {
        return Steps.of(texts(before, calls));
    }

    static List<String> texts(int before, int calls) {
        return before == 0 ? List.of("1 end", "2 end")
                : before == calls ? List.of("2 end", "1 end")
                : List.of("2 call " + before, "1 end", "2 end");
    }

    /** Adds the outcome of a run of an order. Returns whether it agrees with the earlier ones. */
    boolean add(int order, Map<String, String> outcome) {
        Map<String, String> known = orders.get(order);
        if (known == null) {
            orders.set(order, new LinkedHashMap<>(outcome));
            return true;
        }
        return !known.entrySet().removeIf(entry -> !entry.getValue().equals(outcome.get(entry.getKey())));
    }

    /** Whether an outcome differs from every order. */
    boolean excludes(Map<String, String> outcome) {
        for (Map<String, String> order : orders) {
            if (order == null || !differs(order, outcome)) {
                return false;
            }
        }
        return true;
    }

    private static boolean differs(Map<String, String> order, Map<String, String> outcome) {
        for (Map.Entry<String, String> entry : order.entrySet()) {
            if (!entry.getValue().equals(outcome.get(entry.getKey()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the different texts of an entry. */
    List<String> texts(String name) {
        List<String> all = new ArrayList<>();
        for (Map<String, String> order : orders) {
            String text = order == null ? null : order.get(name);
            if (text != null && !all.contains(text)) {
                all.add(text);
            }
        }
        return all;
    }
}
