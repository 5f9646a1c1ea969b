package features;

import java.util.concurrent.atomic.AtomicMarkableReference;

/** Only one call claims: a compare-and-set that fails after a look is the answer no. */
public class MarkOnceS {
    private final AtomicMarkableReference<Integer> owner = new AtomicMarkableReference<>(0, false);

    public boolean claim(int by) {
        boolean[] isMarked = new boolean[1];
        Integer before = owner.get(isMarked);
        return !isMarked[0] && owner.compareAndSet(before, by, false, true);
    }
}
