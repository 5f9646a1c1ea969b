package deadlocks;

/** A deadlock of two locks that protect no field. */
public class Silent {
    private final Object first = new Object();
    private final Object second = new Object();

    public void one() {
        synchronized (first) {
            synchronized (second) {
                System.out.println("one");
            }
        }
    }

    public void two() {
        synchronized (second) {
            synchronized (first) {
                System.out.println("two");
            }
        }
    }
}
