/** Two objects of the class hold one object. */
public class SharedPart {
    static class S {
        int n;
    }

    private final S s;
    public SharedPart() {
        s = new S();
    }

    public SharedPart(SharedPart o) {
        s = o.s;
    }

    public synchronized void f() {
        s.n++;
    }
}
