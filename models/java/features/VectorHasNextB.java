package features;

import java.util.Vector;

/** The iterator of a vector asks for a next element without the monitor. */
public class VectorHasNextB {
    private final Vector<String> all = new Vector<>();

    public void flash() {
        synchronized (all) {
            all.add("x");
            all.remove("x");
        }
    }

    public boolean isAny() { return all.iterator().hasNext(); }
}
