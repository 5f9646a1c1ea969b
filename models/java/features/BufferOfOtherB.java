package features;

import java.nio.*;

/** Buffer around the array of the buffer of another object. */
public class BufferOfOtherB {
    private final IntBuffer b;
    public BufferOfOtherB() {
        b = IntBuffer.wrap(new int[2]);
    }
    public BufferOfOtherB(BufferOfOtherB o) {
        b = IntBuffer.wrap(o.b.array());
    }
    public synchronized void inc() {
        b.put(0, b.get(0) + 1);
    }
    public synchronized int get() {
        return b.get(0);
    }
}
