package sample;

/** A stack in which another thread can take the last element between the two calls of popOrNull. */
public class Stack {
    private final Object[] items = new Object[100];
    private int size;

    public synchronized void push(Object item) {
        items[size++] = item;
    }

    public synchronized boolean isEmpty() {
        return size == 0;
    }

    public synchronized Object pop() {
        return items[--size];
    }

    public Object popOrNull() {
        return isEmpty() ? null : pop();
    }
}
