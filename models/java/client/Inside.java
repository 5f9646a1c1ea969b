package client;

/** Holds an object of a class inside, which locks nothing, where the others lock the object outside. */
public class Inside {
    private final class Counter {
        void add() {
            count++;
        }
    }

    private final Counter counter = new Counter();
    private int count;

    public void add() {
        counter.add();
    }

    public synchronized void reset() {
        count = 0;
    }
}
