package order;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** A text that others exchange by an updater is no cache. */
public class Swapped {
    private static final AtomicReferenceFieldUpdater<Swapped, String> TEXT =
            AtomicReferenceFieldUpdater.newUpdater(Swapped.class, String.class, "text");

    private volatile String text;

    public void swap(String other) {
        TEXT.set(this, other);
    }

    public int length() {
        return text == null ? 0 : text.length();
    }
}
