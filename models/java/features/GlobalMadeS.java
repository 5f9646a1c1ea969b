package features;

/** A constructor changes a constant of an enum, which other objects have, under its lock. */
public final class GlobalMadeS {
    public enum Mode {
        SLOW,
        FAST;

        private int hits;
    }

    private final Mode mode = Mode.SLOW;

    public GlobalMadeS() {
        synchronized (mode) {
            mode.hits++;
        }
    }

    public int hits() {
        synchronized (mode) {
            mode.hits++;
            return mode.hits;
        }
    }
}
