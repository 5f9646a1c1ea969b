package confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Repaired: lists in a concurrent map. */
public final class MapOfListsRepaired {
    private final Map<String, List<String>> lists = new ConcurrentHashMap<>();

    public void add(String key, String item) {
        lists.compute(key, (any, old) -> {
            List<String> list = old == null ? new ArrayList<>() : old;
            list.add(item);
            return list;
        });
    }

    public int count(String key) {
        List<String> list = lists.get(key);
        return list == null ? 0 : list.size();
    }
}
