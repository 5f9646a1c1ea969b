package features;

import java.io.ByteArrayInputStream;

/** A stream reads the array that it was made with. */
public class InputOfArrayB {
    private final byte[] bytes = new byte[4];
    private final ByteArrayInputStream input = new ByteArrayInputStream(bytes);

    public synchronized void put() {
        bytes[0] = 1;
        bytes[1] = 1;
    }

    public int get() {
        byte[] got = new byte[2];
        return input.read(got, 0, 2);
    }
}
