package features;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Correct: the number of waiting signals is changed by an updater; who finds 0 emits. */
public class DrainFieldS {
    private static final AtomicIntegerFieldUpdater<DrainFieldS> WIP =
        AtomicIntegerFieldUpdater.newUpdater(DrainFieldS.class, "wip");
    private volatile int wip;
    private long emitted;

    public void signal() {
        if (WIP.getAndIncrement(this) != 0) {
            return;
        }
        int missed = 1;
        for (;;) {
            emitted += missed;
            missed = WIP.addAndGet(this, -missed);
            if (missed == 0) {
                return;
            }
        }
    }

    public long emitted() {
        return WIP.get(this);
    }
}
