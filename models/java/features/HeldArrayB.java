package features;

/** The array is handed to an object with a public field. */
public class HeldArrayB {
    private final int[] counts = new int[2];

    public synchronized void inc() {
        counts[0]++;
    }

    public Slot slot() {
        return new Slot(counts);
    }

    public static class Slot {
        public final int[] in;

        Slot(int[] in) {
            this.in = in;
        }

        public void inc() {
            in[0]++;
        }
    }
}
