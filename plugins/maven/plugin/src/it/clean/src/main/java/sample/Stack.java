package sample;

/** A stack each of whose methods is atomic. */
public class Stack {
    private final Object[] items = new Object[100];
    private int size;

    public synchronized void push(Object item) {
        items[size++] = item;
    }

    public synchronized Object popOrNull() {
        return size == 0 ? null : items[--size];
    }
}
