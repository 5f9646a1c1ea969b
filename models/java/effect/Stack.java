package effect;

/** Each method takes the lock, but {@code popOrZero} does so twice. */
public class Stack {
    private final int[] items = new int[8];
    private int size;

    public synchronized void push(int item) {
        items[size++] = item;
    }

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
