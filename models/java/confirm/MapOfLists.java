package confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Broken: lists in a concurrent map. */
public final class MapOfLists {
    private final Map<String, List<String>> lists = new ConcurrentHashMap<>();

    public void add(String key, String item) {
        lists.computeIfAbsent(key, any -> new ArrayList<>()).add(item);
    }

    public int count(String key) {
        List<String> list = lists.get(key);
        return list == null ? 0 : list.size();
    }
}
