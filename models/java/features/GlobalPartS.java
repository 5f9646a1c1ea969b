package features;

/** The same under one lock. */
public final class GlobalPartS {
    private static final class Part {
        private int hits;
    }

    public enum Mode {
        SLOW,
        FAST;

        private final Part part = new Part();

        public synchronized String told(GlobalPartS by) {
            return name() + (by == null);
        }
    }

    private final Mode mode = Mode.SLOW;
    private int at;

    public synchronized void hit() {
        synchronized (Mode.class) {
            Mode.values()[at & 1].part.hits++;
        }
        at++;
    }

    public int hits() {
        synchronized (Mode.class) {
            return mode.part.hits;
        }
    }
}
