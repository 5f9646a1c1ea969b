package rules;

import java.util.concurrent.atomic.AtomicInteger;

/** Correct: the thread that raises the counter from 0 emits for all signals, until it is 0 again. */
public class WorkCountersS {
    private final AtomicInteger waiting = new AtomicInteger();
    private int emitted;
    private int rounds;

    public void signal() {
        if (waiting.getAndIncrement() == 0) {
            drain();
        }
    }

    private void drain() {
        int seen = 1;
        do {
            emitted += seen;
            rounds++;
            seen = waiting.addAndGet(-seen);
        } while (seen != 0);
    }
}
