package client;

/** What is thrown leaves the monitor; what is done about it is outside. */
public class Failing {
    private int done;
    private int failed;

    public void work(int[] from, int index) {
        try {
            synchronized (this) {
                done = done + from(from, index);
            }
        } catch (IllegalArgumentException wrong) {
            failed = done;
        }
    }

    private static int from(int[] from, int index) {
        if (index >= from.length) {
            throw new IllegalArgumentException();
        }
        return from[index];
    }
}
