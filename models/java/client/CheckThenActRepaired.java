package client;

/** The test and the removal are in one monitor, which is entered again. */
public class CheckThenActRepaired {
    private int[] items = new int[8];
    private int size;

    public synchronized boolean isEmpty() {
        return size == 0;
    }

    public synchronized int pop() {
        return items[--size];
    }

    public synchronized int popOrZero() {
        return isEmpty() ? 0 : pop();
    }
}
