package rules;

/** The constructor of an inner object calls a method that locks and reads the object around it. */
public class OuterInConstructorS {
    private final Object lock = new Object();
    private int count;

    public void add() {
        synchronized (lock) {
            count++;
        }
    }

    public Twice twice() {
        return new Twice();
    }

    public class Twice {
        private final int sum;

        Twice() {
            sum = sum();
        }

        private int sum() {
            synchronized (lock) {
                return count + count;
            }
        }
    }
}
