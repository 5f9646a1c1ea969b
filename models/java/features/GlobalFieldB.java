package features;

/** The same, but that the constant that clients give is kept in a field. */
public final class GlobalFieldB {
    private static final class Part {
        private int hits;
    }

    public enum Mode {
        SLOW,
        FAST;

        private final Part part = new Part();
    }

    private final Mode mode = Mode.SLOW;
    private volatile Mode by = Mode.FAST;

    public void setBy(Mode by) {
        this.by = by;
    }

    public synchronized void hit() {
        by.part.hits++;
    }

    public synchronized int hits() {
        return mode.part.hits;
    }
}
