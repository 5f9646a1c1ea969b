/** Several functions in an array are run. */
public class SeveralFunctions {
    private int n;
    private void dec() {
        n--;
    }

    private static void run(Runnable... rs) {
        for (Runnable r : rs) r.run();
    }

    public void j() {
        run(() -> n++, this::dec);
    }

    public synchronized int z() {
        return n;
    }
}
