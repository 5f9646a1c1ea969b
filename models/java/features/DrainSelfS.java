package features;

import java.util.concurrent.atomic.AtomicInteger;

/** Correct: the part is a counter itself, with a fast path. */
public class DrainSelfS {
    private final Drained part = new Drained();

    public void signal() {
        part.signal();
    }

    private static final class Drained extends AtomicInteger {
        private static final long serialVersionUID = 1;
        private long emitted;
        private long rounds;

        void signal() {
            if (get() == 0 && compareAndSet(0, 1)) {
                emitted++;
                if (decrementAndGet() == 0) {
                    return;
                }
            } else if (getAndIncrement() != 0) {
                return;
            }
            drain();
        }

        private void drain() {
            int missed = 1;
            for (;;) {
                emitted += missed;
                rounds++;
                missed = addAndGet(-missed);
                if (missed == 0) {
                    break;
                }
            }
        }
    }
}
