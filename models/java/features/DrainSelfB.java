package features;

import java.util.concurrent.atomic.AtomicInteger;

/** Broken: the fast path looks at the counter, but does not take it. */
public class DrainSelfB {
    private final Drained part = new Drained();

    public void signal() {
        part.signal();
    }

    private static final class Drained extends AtomicInteger {
        private static final long serialVersionUID = 1;
        private long emitted;

        void signal() {
            if (get() == 0) {
                emitted++;
                return;
            }
            if (getAndIncrement() == 0) {
                drain();
            }
        }

        private void drain() {
            int missed = 1;
            do {
                emitted += missed;
                missed = addAndGet(-missed);
            } while (missed != 0);
        }
    }
}
