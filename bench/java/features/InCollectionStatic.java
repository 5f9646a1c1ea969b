import java.util.*;

/** The object is in a collection that is given to a static method. */
public class InCollectionStatic {
    private int n;
    public static void coll(Collection<InCollectionStatic> c) {
        for (InCollectionStatic p : c) p.n += 2;
    }

    public synchronized int z() {
        return n;
    }
}
