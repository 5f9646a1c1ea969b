package asercheck.confirm;

/** The methods that the code of a rewritten program calls. Without a run, all of them return at once. */
public final class ProgramHook {
    static volatile ProgramRun run;

    private ProgramHook() {}

    /** A thread comes to a place, see {@link ProgramStops}. It may have to wait there. */
    public static void at(int place) {
        ProgramRun current = run;
        if (current != null) {
            current.at(place);
        }
    }

    /** A method with places begins. */
    public static void entered() {
        ProgramRun current = run;
        if (current != null) {
            current.entered();
        }
    }

    /** A method with places ends; it has given up its lock. */
    public static void left() {
        ProgramRun current = run;
        if (current != null) {
            current.left();
        }
    }

    /** A wait with a timeout begins; one with the timeout 0 is endless. */
    public static void timed(long milliseconds) {
        ProgramRun current = run;
        if (current != null && milliseconds > 0) {
            current.givesUpAfter(milliseconds < Integer.MAX_VALUE ? milliseconds * 1_000_000 : Long.MAX_VALUE);
        }
    }

    /** The same; the last argument is an additional number of nanoseconds. */
    public static void timed() {
        timed(1);
    }
}
