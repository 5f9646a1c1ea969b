package features;

/** An object of a static constant is held by a field that never changes; its monitor is held wherever it is counted. */
public final class HeldConstantS {
    enum Mode {
        SLOW,
        FAST;

        int hits;
    }

    private final Mode mode = Mode.SLOW;

    public void hit() {
        synchronized (mode) {
            mode.hits++;
        }
    }

    public int hits() {
        synchronized (mode) {
            return mode.hits;
        }
    }
}
