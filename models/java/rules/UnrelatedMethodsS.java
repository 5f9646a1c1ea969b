package rules;

import java.util.function.IntSupplier;

/** Correct: the nested class knows the counter by an interface only, so that its calls are those of a client. */
public class UnrelatedMethodsS implements IntSupplier {
    private int n;

    @Override
    public synchronized int getAsInt() {
        return ++n;
    }

    /** Calls of any counter. */
    public static final class Calls {
        private Calls() { }

        public static int twice(IntSupplier counter) {
            return counter.getAsInt() + counter.getAsInt();
        }
    }
}
