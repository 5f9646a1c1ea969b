package features;

import java.util.function.Consumer;

/** Safe for threads: what is made here locks itself before it gives itself away. */
public final class LockedWhileNew {
    private final Consumer<LockedWhileNew> listener;
    private int count;
    private int sum;

    public LockedWhileNew(Consumer<LockedWhileNew> listener) {
        this.listener = listener;
    }

    public synchronized void add(int value) {
        count++;
        sum += value;
    }

    public void close() {
        synchronized (this) {
            listener.accept(this);
            count++;
            sum++;
        }
    }

    public LockedWhileNew closedCopy() {
        LockedWhileNew copy = new LockedWhileNew(listener);
        copy.close();
        return copy;
    }
}
