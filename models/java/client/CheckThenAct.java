package client;

/** Each call is in one piece, both together are not. */
public class CheckThenAct {
    private int[] items = new int[8];
    private int size;

    public synchronized boolean isEmpty() {
        return size == 0;
    }

    public synchronized int pop() {
        return items[--size];
    }

    public int popOrZero() {
        return isEmpty() ? 0 : pop();
    }
}
