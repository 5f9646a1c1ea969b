package features;

/** A static method starts a thread with an object that it has made, and goes on to use it. */
public final class MadeAndStarted {
    private int n;

    public synchronized void grow() {
        n++;
    }

    public static MadeAndStarted make() {
        MadeAndStarted made = new MadeAndStarted();
        new Thread(made::grow).start();
        made.n++;
        return made;
    }
}
