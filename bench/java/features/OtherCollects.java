import java.util.*;

/** Another object of the class has the object in a list, and changes it under its own lock. */
public class OtherCollects {
    private int n;
    private final List<OtherCollects> all = new ArrayList<>();
    public synchronized void add(OtherCollects x) {
        all.add(x);
    }

    public synchronized void coll() {
        for (OtherCollects x : all) x.n++;
    }

    public synchronized void inc() {
        n++;
    }
}
