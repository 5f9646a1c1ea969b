package features;

/** Constructors pass the second argument on to a superclass: one lock. */
public class PassedOnS {
    private static class Base {
        final Object lock;
        Base(Object lock) {
            this.lock = lock;
        }
    }
    private static class Part extends Base {
        Part(Object lock) {
            super(lock);
        }
        Part(Object other, Object lock) {
            this(lock);
        }
    }
    private final Object mine = new Object();
    private final Part part = new Part(new Object(), mine);
    private int n;
    public void inc() {
        synchronized (mine) {
            n = n + 1;
        }
    }
    public void dec() {
        synchronized (part.lock) {
            n = n - 1;
        }
    }
}
