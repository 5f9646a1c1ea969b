/** Inner objects lock themselves, and change the outer one. */
public class InnerLocks {
    private int n;
    public class V {
        public synchronized void bump() {
            n++;
        }
    }

    private final V v = new V();
    public V v() {
        return v;
    }

    public synchronized int get() {
        return n;
    }
}
