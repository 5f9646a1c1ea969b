package features;

/** An object of a static constant is held by a field that never changes; it is counted without a lock, and with one. */
public final class HeldConstantB {
    enum Mode {
        SLOW,
        FAST;

        int hits;
    }

    private final Mode mode = Mode.SLOW;

    public void hit() {
        mode.hits++;
    }

    public synchronized int hits() {
        return mode.hits;
    }
}
