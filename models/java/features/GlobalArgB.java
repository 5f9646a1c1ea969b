package features;

/** Clients give the same constant of an enum to two objects, each of which changes its part under its own lock. */
public final class GlobalArgB {
    private static final class Part {
        private int hits;
    }

    public enum Mode {
        SLOW,
        FAST;

        private final Part part = new Part();
    }

    private final Mode mode = Mode.SLOW;

    public synchronized void hit(Mode by) {
        by.part.hits++;
    }

    public synchronized int hits() {
        return mode.part.hits;
    }
}
