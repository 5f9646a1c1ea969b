package rules;

/** Broken: the nested class is made for the counter, and its two steps are one unit. */
public class UnrelatedMethodsB {
    private int n;

    public synchronized int next() {
        return ++n;
    }

    /** Calls of the counter. */
    public static final class Calls {
        private Calls() { }

        public static int twice(UnrelatedMethodsB counter) {
            return counter.next() + counter.next();
        }
    }
}
