package features;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** The same under the lock. */
public class SerializedS implements Serializable {
    private int low;
    private int high;

    public synchronized void inc() {
        low++;
        high++;
    }

    private synchronized void writeObject(ObjectOutputStream out) throws IOException {
        out.writeInt(low);
        out.writeInt(high);
    }
}
