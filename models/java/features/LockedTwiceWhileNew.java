package features;

import java.util.function.Consumer;

/** Safe for threads: what is made here locks itself twice before it gives itself away. */
public final class LockedTwiceWhileNew {
    private final Consumer<LockedTwiceWhileNew> listener;
    private int count;
    private int sum;

    public LockedTwiceWhileNew(Consumer<LockedTwiceWhileNew> listener) {
        this.listener = listener;
    }

    public synchronized void add(int value) {
        count++;
        sum += value;
    }

    public synchronized void close() {
        synchronized (this) {
            listener.accept(this);
            count++;
        }
        sum++;
    }

    public LockedTwiceWhileNew closedCopy() {
        LockedTwiceWhileNew copy = new LockedTwiceWhileNew(listener);
        copy.close();
        return copy;
    }
}
