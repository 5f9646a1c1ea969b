/** A function of the class itself is given as an argument and called twice. */
public class OwnFunction {
    int n;
    public interface Op {
        int on(OwnFunction c);
    }

    public synchronized int inc() {
        return n++;
    }

    public static Op op() {
        return c -> c.inc();
    }

    public int act(Op o) {
        int a = o.on(this);
        int b = o.on(this);
        return b - a;
    }
}
