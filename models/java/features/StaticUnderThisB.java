package features;

/** A static field is counted up under the lock of one object each. */
public class StaticUnderThisB {
    private static int total;

    private int own;

    public synchronized void inc() {
        own++;
        total++;
    }
}
