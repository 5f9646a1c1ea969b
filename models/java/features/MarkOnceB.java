package features;

import java.util.concurrent.atomic.AtomicMarkableReference;

/** Two calls may claim. */
public class MarkOnceB {
    private final AtomicMarkableReference<Integer> owner = new AtomicMarkableReference<>(0, false);

    public boolean claim(int by) {
        if (owner.isMarked()) {
            return false;
        }
        owner.set(by, true);
        return true;
    }
}
