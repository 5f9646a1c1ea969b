package client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Tests and enters in one step. */
public class CacheRepaired {
    private final ConcurrentMap<String, Object> values = new ConcurrentHashMap<>();

    public void add(String key) {
        values.putIfAbsent(key, new Object());
    }
}
