import java.util.*;

/** The object is in a collection that another object gets. */
public class OtherForEach {
    private int n;
    public synchronized void coll(Collection<OtherForEach> c) {
        c.forEach(p -> p.n += 2);
    }

    public synchronized void inc() {
        n++;
    }
}
