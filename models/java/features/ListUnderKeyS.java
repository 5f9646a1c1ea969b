package features;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** A look for a key does not compare the lists that the map holds as values. */
public class ListUnderKeyS {
    private final ConcurrentHashMap<String, List<String>> lists = new ConcurrentHashMap<>();

    public void add(String key, String value) {
        lists.compute(key, (same, known) -> {
            List<String> list = known == null ? new ArrayList<>() : known;
            list.add(value);
            return list;
        });
    }

    public boolean has(String key) {
        return lists.containsKey(key);
    }
}
