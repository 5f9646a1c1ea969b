package features;

/** A field that nothing assigns is null. */
public class NeverAssignedS {
    private final int[] counts = new int[2];
    private volatile int[] last;

    public synchronized int next(int of) {
        return ++counts[of & 1];
    }

    public int again() {
        int[] known = last;
        return known == null ? 0 : ++known[0];
    }
}
