package features;

import java.util.Vector;

/** The same within the monitor. */
public class VectorHasNextS {
    private final Vector<String> all = new Vector<>();

    public void flash() {
        synchronized (all) {
            all.add("x");
            all.remove("x");
        }
    }

    public boolean isAny() {
        synchronized (all) {
            return all.iterator().hasNext();
        }
    }
}
