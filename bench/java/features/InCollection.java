import java.util.*;

/** The object is in a collection that is given to another object. */
public class InCollection {
    private int n;
    public void coll(Collection<InCollection> c) {
        c.forEach(p -> p.n += 2);
    }

    public synchronized int z() {
        return n;
    }
}
