package features;

import java.nio.*;

/** Buffers around own arrays. */
public class BufferOfOwnS {
    private final IntBuffer b;
    public BufferOfOwnS() {
        b = IntBuffer.wrap(new int[2]);
    }
    public BufferOfOwnS(BufferOfOwnS o) {
        b = IntBuffer.wrap(new int[] { o.get() });
    }
    public synchronized void inc() {
        b.put(0, b.get(0) + 1);
    }
    public synchronized int get() {
        return b.get(0);
    }
}
