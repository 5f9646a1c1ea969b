package features;

/** What an unchanging field may hold becomes one kind with what another field holds first. */
public class MergedShapesB {
    interface Shape { void poke(); }
    static final class A implements Shape { public void poke() { } }
    static final class B implements Shape { int n; public void poke() { n++; } }
    static final class H { final Shape shape; H(Shape shape) { this.shape = shape; } }
    static final class G { H h; }

    private final Object lock = new Object();
    private volatile Shape first = new A();
    private final G g = new G();
    private volatile Shape last = first;

    public void set(boolean own) {
        synchronized (lock) {
            B b = new B();
            last = b;
            g.h = new H(own ? first : b);
        }
    }

    public void poke() { last.poke(); }
}
