package features;

/** A default method of an own interface that only clients implement changes what it gets. */
public class DefaultGivenB {
    public interface Op {
        void go();
        default void add(DefaultGivenB of) {
            go();
            of.n++;
        }
    }

    private int n;
    public void inc(Op op) {
        op.add(this);
    }
    public synchronized int get() {
        return n;
    }
}
