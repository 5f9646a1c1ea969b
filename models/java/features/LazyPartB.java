package features;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** A map and a lock are made on first use; a second lock may replace the first one. */
public class LazyPartB {
    private final AtomicReference<Object> lock = new AtomicReference<>();
    private volatile Map<String, String> parts;
    private int count;

    private Map<String, String> parts() {
        Map<String, String> made = parts;
        if (made == null) {
            synchronized (this) {
                made = parts;
                if (made == null) {
                    made = new ConcurrentHashMap<>();
                    parts = made;
                }
            }
        }
        return made;
    }

    private Object lock() {
        Object made = lock.get();
        if (made == null) {
            lock.set(new Object());
            made = lock.get();
        }
        return made;
    }

    public void put(String name, String value) {
        parts().put(name, value);
    }

    public void add() {
        synchronized (lock()) {
            count++;
        }
    }
}
