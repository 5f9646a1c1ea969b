package features;

import java.util.function.Consumer;

/** Broken: the owner of the object itself is written from a value that another call may have changed. */
public class HandedCopyB {
    private final Consumer<Object> listener;
    private volatile String owner;

    public HandedCopyB(Consumer<Object> listener, String owner) {
        this.listener = listener;
        this.owner = owner;
    }

    public HandedCopyB copy() {
        HandedCopyB copy = new HandedCopyB(listener, null);
        listener.accept(copy);
        String found = this.owner;
        copy.owner = found;
        this.owner = found + "'";
        return copy;
    }
}
