package features;

/** A part can lie at two places, with a lock each. */
public class MovedPartB {
    private static final class Part {
        private int count;
    }

    private final Part[] parts = new Part[16];
    private final Object[] locks = new Object[16];

    public MovedPartB() {
        for (int at = 0; at < 16; at++) locks[at] = new Object();
    }

    public void replace(int at) {
        synchronized (locks[at]) {
            parts[at] = new Part();
        }
    }

    public void increment(int at) {
        synchronized (locks[at]) {
            Part part = parts[at];
            if (part != null) part.count++;
        }
    }

    public void copyFirst() {
        synchronized (locks[0]) {
            synchronized (locks[1]) {
                parts[1] = parts[0];
            }
        }
    }
}
