package features;

import java.util.function.Consumer;

/** Safe for threads: a method that is synchronized gives a new object away. */
public final class SyncMethodWhileNew {
    private final Consumer<SyncMethodWhileNew> listener;
    private int count;
    private int sum;

    public SyncMethodWhileNew(Consumer<SyncMethodWhileNew> listener) {
        this.listener = listener;
    }

    public synchronized void add(int value) {
        count++;
        sum += value;
    }

    public synchronized void close() {
        listener.accept(this);
        count++;
        sum++;
    }

    public SyncMethodWhileNew closedCopy() {
        SyncMethodWhileNew copy = new SyncMethodWhileNew(listener);
        copy.close();
        return copy;
    }
}
