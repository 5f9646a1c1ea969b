package features;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** Whoever writes an object to a stream calls its method for that, though it is private. */
public class SerializedB implements Serializable {
    private int low;
    private int high;

    public synchronized void inc() {
        low++;
        high++;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        out.writeInt(low);
        out.writeInt(high);
    }
}
