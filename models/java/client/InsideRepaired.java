package client;

/** Holds an object of a class inside, which locks the object outside. */
public class InsideRepaired {
    private final class CounterRepaired {
        void add() {
            synchronized (InsideRepaired.this) {
                count++;
            }
        }
    }

    private final CounterRepaired counter = new CounterRepaired();
    private int count;

    public void add() {
        counter.add();
    }

    public synchronized void reset() {
        count = 0;
    }
}
