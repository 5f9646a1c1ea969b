/** Functions in an array are run. */
public class FunctionsInArray {
    private int n;
    private static void run(Runnable... rs) {
        for (Runnable r : rs) r.run();
    }

    public void j() {
        run(() -> n++);
    }

    public synchronized int z() {
        return n;
    }
}
