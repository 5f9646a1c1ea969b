package features;

import java.util.Map;

/** The object in the map is the one whose monitor is held. */
public class WaitElementB {
    private static final Object LOCK = new Object();
    private static final Map<String, Object> LOCKS = Map.of("a", LOCK);
    private static int count;

    public static void increment(String name) throws InterruptedException {
        synchronized (LOCK) {
            int before = count;
            Object found = LOCKS.get(name);
            if (found != null) {
                found.wait(1);
            }
            count = before + 1;
        }
    }

    public static int get() {
        synchronized (LOCK) {
            return count;
        }
    }
}
