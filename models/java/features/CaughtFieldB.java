package features;

/** The caught exception is the object of a field. */
public class CaughtFieldB {
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        private int count;
    }

    private final Failure failure = new Failure();

    private void raise() {
        throw failure;
    }

    public int fail() {
        try {
            raise();
            return 0;
        } catch (Failure caught) {
            return ++caught.count;
        }
    }
}
