package features;

/** The same under the lock. */
public class CaughtFieldS {
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        private int count;
    }

    private final Failure failure = new Failure();

    private void raise() {
        throw failure;
    }

    public synchronized int fail() {
        try {
            raise();
            return 0;
        } catch (Failure caught) {
            return ++caught.count;
        }
    }
}
