package features;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** The flag is freed before the second access. */
public class FlagFieldB {
    private static final AtomicIntegerFieldUpdater<FlagFieldB> BUSY =
            AtomicIntegerFieldUpdater.newUpdater(FlagFieldB.class, "busy");
    private volatile int busy;
    private int count;

    private boolean take() {
        return BUSY.compareAndSet(this, 0, 1);
    }

    public boolean tryNext() {
        if (busy == 0 && take()) {
            int before = count;
            busy = 0;
            count = before + 1;
            return true;
        }
        return false;
    }
}
