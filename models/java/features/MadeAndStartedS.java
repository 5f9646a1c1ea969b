package features;

/** The same with the use before the start. */
public final class MadeAndStartedS {
    private int n;

    public synchronized void grow() {
        n++;
    }

    public static MadeAndStartedS make() {
        MadeAndStartedS made = new MadeAndStartedS();
        made.n++;
        new Thread(made::grow).start();
        return made;
    }
}
