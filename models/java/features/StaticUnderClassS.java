package features;

/** The same under the lock of the class. */
public class StaticUnderClassS {
    private static int total;

    private int own;

    public synchronized void inc() {
        own++;
        synchronized (StaticUnderClassS.class) {
            total++;
        }
    }
}
