package confirm;

import java.util.Arrays;
import java.util.List;

/** Broken: an array and its end. */
public final class RingBuffer {
    private final String[] items = new String[4];
    private int tail;

    public boolean offer(String item) {
        if (tail == items.length) {
            return false;
        }
        items[tail] = item;
        tail++;
        return true;
    }

    public synchronized List<String> items() {
        return Arrays.asList(items).subList(0, tail);
    }
}
