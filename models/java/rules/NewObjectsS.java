package rules;

import java.nio.IntBuffer;

/** {@code fill} writes a new buffer and then stores a duplicate of it, which nobody had before. */
public class NewObjectsS {
    private volatile IntBuffer pair = IntBuffer.allocate(2);

    public int difference() {
        IntBuffer now = pair;
        return now.get(0) - now.get(1);
    }

    public void fill(int value) {
        IntBuffer made = IntBuffer.allocate(2);
        made.put(0, value);
        made.put(1, value);
        pair = made.duplicate();
    }
}
