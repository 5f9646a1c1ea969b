package features;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** Threads meet twice, and nobody asks the barrier for its state. */
public class BarrierStateS {
    private final CyclicBarrier barrier = new CyclicBarrier(3);
    private int met;

    public void meet() throws Exception {
        barrier.await(1, TimeUnit.SECONDS);
        barrier.await(1, TimeUnit.SECONDS);
        synchronized (this) {
            met++;
        }
    }

    public synchronized int met() { return met; }
}
