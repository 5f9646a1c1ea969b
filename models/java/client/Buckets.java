package client;

import java.util.HashMap;
import java.util.Map;

/** An array of buckets with a lock each, one of which is left too early. */
public class Buckets {
    private static final class Bucket {
        final Map<Object, Object> content = new HashMap<>();
        int size;
    }

    private final Bucket[] buckets = new Bucket[16];

    public Buckets() {
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = new Bucket();
        }
    }

    public void put(Object key, Object value) {
        Bucket bucket = buckets[key.hashCode() & 15];
        synchronized (bucket) {
            bucket.content.put(key, value);
        }
        bucket.size++;
    }

    public int size(Object key) {
        Bucket bucket = buckets[key.hashCode() & 15];
        synchronized (bucket) {
            return bucket.size;
        }
    }
}
