package features;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An atomic number is tested and changed in a function for its key; others change it without. */
public final class AtomicUnderKeyB {
    private final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    public void register(String key) {
        counts.putIfAbsent(key, new AtomicInteger());
    }

    public void countToTen(String key) {
        counts.computeIfPresent(key, (same, count) -> {
            if (count.get() < 10) {
                count.incrementAndGet();
            }
            return count;
        });
    }

    public void count(String key) {
        AtomicInteger count = counts.get(key);
        if (count != null) {
            count.incrementAndGet();
        }
    }
}
