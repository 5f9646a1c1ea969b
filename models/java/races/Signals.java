package races;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Only the plain field has a data race. */
public class Signals {
    private volatile boolean done;
    private final ConcurrentHashMap<String, String> names = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private int plain;

    public void finish() {
        done = true;
    }

    public boolean isDone() {
        return done;
    }

    public void name(String key, String value) {
        names.put(key, value);
    }

    public String nameOf(String key) {
        return names.get(key);
    }

    public void add() {
        count.incrementAndGet();
    }

    public int count() {
        return count.get();
    }

    public void set(int value) {
        plain = value;
    }

    public int get() {
        return plain;
    }
}
