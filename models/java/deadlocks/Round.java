package deadlocks;

/** A deadlock of three locks and three calls. */
public class Round {
    private final Object a = new Object();
    private final Object b = new Object();
    private final Object c = new Object();

    public void first() {
        synchronized (a) {
            synchronized (b) {
                System.out.println("first");
            }
        }
    }

    public void second() {
        synchronized (b) {
            synchronized (c) {
                System.out.println("second");
            }
        }
    }

    public void third() {
        synchronized (c) {
            synchronized (a) {
                System.out.println("third");
            }
        }
    }
}
