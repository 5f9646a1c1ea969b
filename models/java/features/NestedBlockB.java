package features;

/** A nested class, which is not public, claims to be safe by a synchronized block. */
public class NestedBlockB {
    static class Counter {
        private int n;
        int get() {
            synchronized (this) {
                return n;
            }
        }
        public void inc() {
            n++;
        }
    }
}
