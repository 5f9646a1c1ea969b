package features;

import java.util.function.Consumer;

/** Correct: the copy gets its owner after it was handed on, but it is another object than the one that is read. */
public class HandedCopyS {
    private final Consumer<Object> listener;
    private volatile String owner;

    public HandedCopyS(Consumer<Object> listener, String owner) {
        this.listener = listener;
        this.owner = owner;
    }

    public HandedCopyS copy() {
        HandedCopyS copy = new HandedCopyS(listener, null);
        listener.accept(copy);
        copy.owner = this.owner + "'";
        return copy;
    }
}
