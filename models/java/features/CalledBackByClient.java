package features;


/** Code of a client runs a function that the method has made: it writes what was read before. */
public final class CalledBackByClient {
    public interface Scope {
        void in(Runnable task);
    }

    private int n;

    public void grow(Scope scope) {
        int before = get();
        scope.in(() -> set(before + 1));
    }

    private synchronized int get() {
        return n;
    }

    private synchronized void set(int n) {
        this.n = n;
    }
}
