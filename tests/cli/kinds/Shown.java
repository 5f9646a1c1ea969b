package kinds;

import java.nio.IntBuffer;

/** A pair of numbers that is visible before it is complete. Only a reader sees that. */
public class Shown {
    private volatile IntBuffer pair = IntBuffer.allocate(2);

    public void show(int value) {
        IntBuffer next = IntBuffer.allocate(2);
        pair = next.duplicate();
        next.put(0, value);
        next.put(1, value);
    }

    public int difference() {
        IntBuffer seen = pair;
        return seen.get(0) - seen.get(1);
    }
}
