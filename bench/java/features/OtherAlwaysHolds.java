/** Another object of the class always holds the object, and changes it under its own lock. */
public class OtherAlwaysHolds {
    private int n;
    private final OtherAlwaysHolds next;
    public OtherAlwaysHolds(OtherAlwaysHolds x) {
        next = x;
    }

    public synchronized void coll() {
        if (next != null) next.n++;
    }

    public synchronized void inc() {
        n++;
    }
}
