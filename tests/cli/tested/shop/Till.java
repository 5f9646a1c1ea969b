package shop;

import java.util.ArrayDeque;

/** A class whose objects need a phrase and a code that no search finds. */
public final class Till {
    private final ArrayDeque<String> sold = new ArrayDeque<>();
    private boolean isOpen;

    public Till(String phrase) {
        if (phrase.hashCode() != 495240495) {
            throw new IllegalArgumentException("wrong phrase");
        }
    }

    public synchronized void open(int code) {
        if (code * 31 + 7 != 38292) {
            throw new IllegalStateException("wrong code");
        }
        isOpen = true;
    }

    public synchronized void close() {
        isOpen = false;
        sold.clear();
    }

    public synchronized void sell(String what) {
        if (!isOpen) {
            throw new IllegalStateException("closed");
        }
        sold.push(what);
    }

    public synchronized int count() {
        return sold.size();
    }

    public synchronized String undo() {
        return sold.pop();
    }

    /** Not atomic: another thread may call {@code undo} in between. */
    public String undoOrNull() {
        if (count() == 0) {
            return null;
        }
        return undo();
    }
}
