package deadlocks;

/** No deadlock: both orders of the locks are taken under a third lock only. */
public class Gated {
    private final Object gate = new Object();
    private final Object left = new Object();
    private final Object right = new Object();
    private int moved;

    public void push() {
        synchronized (gate) {
            synchronized (left) {
                synchronized (right) {
                    moved = moved + 1;
                }
            }
        }
    }

    public void pull() {
        synchronized (gate) {
            synchronized (right) {
                synchronized (left) {
                    moved = moved - 1;
                }
            }
        }
    }
}
