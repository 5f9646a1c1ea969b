package features;

import java.util.ArrayList;
import java.util.List;

/** Arrays are filled before others can find them; the marked lines alone touch what threads share. */
public final class OwnUntilSharedS {
    private final List<int[]> history = new ArrayList<>();
    private final int limit;
    private volatile int[] pair = new int[2];

    public OwnUntilSharedS(int limit) {
        this.limit = limit;
        history.add(new int[2]);
    }

    public int difference() {
        int[] now = pair; // touches
        return now[0] - now[1]; // touches
    }

    public void fill(int value) {
        int[] next = new int[2];
        next[0] = Math.min(value, limit);
        next[1] = next[0];
        pair = next; // touches
    }

    public void fillAgain(int[] values) {
        for (int value : values) { // touches
            int[] next = new int[2];
            next[0] = value;
            next[1] = value;
            pair = next; // touches
        }
    }

    public void keep() {
        List<int[]> own = new ArrayList<>();
        own.add(new int[2]);
        synchronized (history) {
            history.addAll(own); // touches
        }
    }

    public int kept() {
        synchronized (history) {
            return history.size(); // touches
        }
    }
}
