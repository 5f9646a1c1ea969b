package features;

/** Code of a client gets a function that a field always holds: it writes, after the method has read. */
public final class HeldFunctionHanded {
    public interface Scope {
        void in(Runnable task);
    }

    private final class Reset implements Runnable {
        @Override
        public void run() {
            set(0);
        }
    }

    private final Reset reset = new Reset();
    private int n;

    public int grow(Scope scope) {
        int before = get();
        scope.in(reset);
        return before;
    }

    public synchronized void add() {
        n++;
    }

    private synchronized int get() {
        return n;
    }

    private synchronized void set(int n) {
        this.n = n;
    }
}
