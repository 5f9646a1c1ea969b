package client;

/** What is thrown is caught in the monitor. */
public class FailingRepaired {
    private int done;
    private int failed;

    public void work(int[] from, int index) {
        synchronized (this) {
            try {
                done = done + from(from, index);
            } catch (IllegalArgumentException wrong) {
                failed = done;
            }
        }
    }

    private static int from(int[] from, int index) {
        if (index >= from.length) {
            throw new IllegalArgumentException();
        }
        return from[index];
    }
}
