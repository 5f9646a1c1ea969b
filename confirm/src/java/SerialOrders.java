package asercheck.confirm;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcomes of the serial orders. If an entry differs between two runs of one order, only an exception differs from
 * it from then on. If one of the runs has an exception, or lacks the entry, it counts no longer for this order.
 */
final class SerialOrders {
    private static final String VARIES = "a value that differs from run to run";

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
        boolean agrees = true;
        Iterator<Map.Entry<String, String>> entries = known.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<String, String> entry = entries.next();
            String text = outcome.get(entry.getKey());
            if (entry.getValue().equals(text) || entry.getValue().equals(VARIES) && isValue(text)) {
                continue;
            }
            agrees = false;
            if (isValue(entry.getValue()) && isValue(text)) {
                entry.setValue(VARIES);
            } else {
                entries.remove();
            }
        }
        return agrees;
    }

    private static boolean isException(String text) {
        return text != null && text.startsWith("threw ");
    }

    private static boolean isValue(String text) {
        return text != null && !isException(text) && !text.equals("hangs");
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
            String text = outcome.get(entry.getKey());
            if (entry.getValue().equals(VARIES) ? isException(text) : !entry.getValue().equals(text)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the different texts of an entry beside its text in another outcome. */
    List<String> texts(String name, String beside) {
        List<String> all = new ArrayList<>();
        for (Map<String, String> order : orders) {
            String text = order == null ? null : order.get(name);
            boolean saysMore = text != null && (!text.equals(VARIES) || isException(beside));
            if (saysMore && !all.contains(text)) {
                all.add(text);
            }
        }
        return all;
    }
}
