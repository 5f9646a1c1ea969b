package features;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A field is taken by compare-and-set in a helper, and freed by an assignment. */
public class FlagFieldS {
    private static final AtomicIntegerFieldUpdater<FlagFieldS> BUSY =
            AtomicIntegerFieldUpdater.newUpdater(FlagFieldS.class, "busy");
    private volatile int busy;
    private int count;

    private boolean take() {
        return BUSY.compareAndSet(this, 0, 1);
    }

    public boolean tryNext() {
        if (busy == 0 && take()) {
            try {
                count = count + 1;
            } finally {
                busy = 0;
            }
            return true;
        }
        return false;
    }
}
