package features;

import java.io.ByteArrayOutputStream;

/** The same under the lock. */
public final class OutsideFieldS extends ByteArrayOutputStream {
    public synchronized void drop() {
        if (count > 0) {
            count--;
        }
    }
}
