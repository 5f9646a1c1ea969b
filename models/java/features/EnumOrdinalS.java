package features;

/** A field that changes holds an enum: its number and its name never change. */
public class EnumOrdinalS {
    public enum Mode {
        SLOW,
        FAST
    }

    private Mode mode = Mode.SLOW;
    private int changes;

    public synchronized void set(Mode next) {
        mode = next;
        changes++;
    }

    public synchronized int state() {
        return mode.ordinal() + changes;
    }

    public synchronized String text() {
        return mode.name() + mode + changes;
    }
}
