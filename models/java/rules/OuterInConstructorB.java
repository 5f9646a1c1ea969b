package rules;

/** The constructor of an inner object calls a method that reads the object around it without its lock. */
public class OuterInConstructorB {
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
            return count + count;
        }
    }
}
