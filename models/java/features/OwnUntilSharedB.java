package features;

/** An array is filled after others can find it, in different ways. */
public final class OwnUntilSharedB {
    private volatile int[] pair = new int[2];

    public int difference() {
        int[] now = pair; // touches
        return now[0] - now[1]; // touches
    }

    public void fill(int value) {
        int[] next = new int[2];
        next[0] = value;
        pair = next; // touches
        next[1] = value; // touches
    }

    public void fillAgain(int count) {
        int[] next = new int[2];
        for (int round = 0; round < count; round++) {
            next[0] = round; // touches
            next[1] = round; // touches
            pair = next; // touches
        }
    }

    public void fillOther(int value) {
        int[] next = new int[2];
        int[] other = same(next);
        pair = other; // touches
        next[0] = value; // touches
        next[1] = value; // touches
    }

    private static int[] same(int[] given) {
        return given;
    }
}
