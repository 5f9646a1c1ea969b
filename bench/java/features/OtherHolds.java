/** Another object of the class holds the object, and changes it under its own lock. */
public class OtherHolds {
    private int n;
    private OtherHolds next;
    public synchronized void coll() {
        if (next != null) next.n++;
    }

    public synchronized void inc() {
        n++;
    }

    public synchronized void set(OtherHolds x) {
        next = x;
    }
}
