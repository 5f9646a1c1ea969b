package features;

/** A constructor changes a constant of an enum, which other objects have, under no lock. */
public final class GlobalMadeB {
    public enum Mode {
        SLOW,
        FAST;

        private int hits;
    }

    private final Mode mode = Mode.SLOW;

    public GlobalMadeB() {
        mode.hits++;
    }

    public int hits() {
        synchronized (mode) {
            mode.hits++;
            return mode.hits;
        }
    }
}
