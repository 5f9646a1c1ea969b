package features;

/** {@code join} waits on the thread's monitor, which may be the one that is held. */
public class JoinNamedB {
    private static final Thread WORKER = new Thread(JoinNamedB::get);
    private static int count;

    public static Thread worker() {
        return WORKER;
    }

    public static void increment(Thread other) throws InterruptedException {
        synchronized (WORKER) {
            int before = count;
            other.join(1);
            count = before + 1;
        }
    }

    public static int get() {
        synchronized (WORKER) {
            return count;
        }
    }
}
