package features;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** A list is read without the lock of its key. */
public class ListUnderKeyB {
    private final ConcurrentHashMap<String, List<String>> lists = new ConcurrentHashMap<>();

    public void add(String key, String value) {
        lists.compute(key, (same, known) -> {
            List<String> list = known == null ? new ArrayList<>() : known;
            list.add(value);
            return list;
        });
    }

    public String last(String key) {
        List<String> list = lists.get(key);
        return list == null || list.isEmpty() ? "" : list.get(list.size() - 1);
    }
}
