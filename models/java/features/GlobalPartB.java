package features;

/** Parts of the constants of an enum, which clients can get, are changed under the lock of one object each. */
public final class GlobalPartB {
    private static final class Part {
        private int hits;
    }

    public enum Mode {
        SLOW,
        FAST;

        private final Part part = new Part();

        public synchronized String told(GlobalPartB by) {
            return name() + (by == null);
        }
    }

    private final Mode mode = Mode.SLOW;
    private int at;

    public synchronized void hit() {
        Mode.values()[at & 1].part.hits++;
        at++;
    }

    public synchronized int hits() {
        return mode.part.hits;
    }
}
