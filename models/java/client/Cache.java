package client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Between the test and the entry, another thread makes one. */
public class Cache {
    private final ConcurrentMap<String, Object> values = new ConcurrentHashMap<>();

    public void add(String key) {
        if (!values.containsKey(key)) {
            values.put(key, new Object());
        }
    }
}
