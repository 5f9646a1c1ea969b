package confirm;

/** Repaired: two locks in two orders: a deadlock, and more. */
public final class DeadlocksRepaired {
    private final Object first = new Object();
    private final Object second = new Object();
    private int count;

    public int a() {
        synchronized (first) {
            count++;
            synchronized (second) {
                return ++count;
            }
        }
    }

    public int b() {
        synchronized (first) {
            count++;
            synchronized (second) {
                return ++count;
            }
        }
    }
}
