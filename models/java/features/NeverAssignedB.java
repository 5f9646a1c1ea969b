package features;

/** The field gets the counts, which one method changes without the lock. */
public class NeverAssignedB {
    private final int[] counts = new int[2];
    private volatile int[] last;

    public synchronized int next(int of) {
        last = counts;
        return ++counts[of & 1];
    }

    public int again() {
        int[] known = last;
        return known == null ? 0 : ++known[0];
    }
}
