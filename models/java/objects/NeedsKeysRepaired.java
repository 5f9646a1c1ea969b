package objects;

import java.util.Map;

/** Correct: an object that looks up keys in a map. */
public final class NeedsKeysRepaired {
    private volatile int last;
    private final int size;

    public NeedsKeysRepaired(Map<String, String> options) {
        if (!options.containsKey("objects.size.of.the.queue")) {
            throw new IllegalArgumentException("no size");
        }
        size = Integer.parseInt(options.get("objects.size.of.the.queue"));
    }

    public synchronized int next() {
        return ++last;
    }

    public int size() {
        return size;
    }
}
