package features;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** A thread that gives up breaks a barrier. */
public class BarrierStateB {
    private final CyclicBarrier barrier = new CyclicBarrier(3);

    public void meet() throws Exception { barrier.await(1, TimeUnit.MILLISECONDS); }
    public boolean isChanged() { return barrier.isBroken() != barrier.isBroken(); }
}
