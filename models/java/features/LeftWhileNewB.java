package features;

import java.util.function.Consumer;

/** Not safe for threads: what is made here is given away under its lock and changed after that. */
public final class LeftWhileNewB {
    private final Consumer<LeftWhileNewB> listener;
    private int count;

    public LeftWhileNewB(Consumer<LeftWhileNewB> listener) {
        this.listener = listener;
    }

    public synchronized void add(int value) {
        count += value;
    }

    public LeftWhileNewB madeKnown() {
        LeftWhileNewB copy = new LeftWhileNewB(listener);
        synchronized (copy) {
            listener.accept(copy);
            copy.count++;
        }
        copy.count++;
        return copy;
    }
}
