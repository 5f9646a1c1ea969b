package features;

/** A constructor passes its second argument on: two locks. */
public class PassedOnB {
    private static class Part {
        final Object lock;
        Part(Object lock) {
            this.lock = lock;
        }
        Part(Object other, Object lock) {
            this(lock);
        }
    }
    private final Object mine = new Object();
    private final Part part = new Part(mine, new Object());
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
