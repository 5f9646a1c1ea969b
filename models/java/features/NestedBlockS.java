package features;

/** The same, locked everywhere. */
public class NestedBlockS {
    static class Counter {
        private int n;
        int get() {
            synchronized (this) {
                return n;
            }
        }
        public void inc() {
            synchronized (this) {
                n++;
            }
        }
    }
}
