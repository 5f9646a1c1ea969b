package features;

import java.io.ByteArrayOutputStream;

/** A field of a class of the library, which is tested and changed without the lock of that class's methods. */
public final class OutsideFieldB extends ByteArrayOutputStream {
    public void drop() {
        if (count > 0) {
            count--;
        }
    }
}
