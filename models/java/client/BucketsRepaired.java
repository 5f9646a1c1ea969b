package client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** An array of buckets, each of which is a lock. */
public class BucketsRepaired {
    private static final class Bucket extends ReentrantLock {
        final Map<Object, Object> content = new HashMap<>();
        int size;

        int add(Object key, Object value) {
            lock();
            try {
                content.put(key, value);
                return size++;
            } finally {
                unlock();
            }
        }
    }

    private final Bucket[] buckets = new Bucket[16];

    public BucketsRepaired() {
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = new Bucket();
        }
    }

    public int put(Object key, Object value) {
        return buckets[key.hashCode() & 15].add(key, value);
    }

    public void remove(Object key) {
        int index = key.hashCode() & 15;
        buckets[index].lock();
        try {
            buckets[index].content.remove(key);
            buckets[index].size--;
        } finally {
            buckets[index].unlock();
        }
    }

    public int size() {
        int size = 0;
        for (Bucket bucket : buckets) {
            bucket.lock();
            try {
                size += bucket.size;
            } finally {
                bucket.unlock();
            }
        }
        return size;
    }
}
