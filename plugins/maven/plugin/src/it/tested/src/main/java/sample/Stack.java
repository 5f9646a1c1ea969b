package sample;

/** A stack that only the test can make, as no other code knows the word. */
public class Stack {
    private final Object[] items = new Object[100];
    private int size;

    public Stack(String word) {
        if (word.hashCode() != -136982450) {
            throw new IllegalArgumentException(word);
        }
    }

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
