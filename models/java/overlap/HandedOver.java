package overlap;

import java.util.concurrent.locks.ReentrantLock;

/** The lock that stays held is not that of the counter in all methods. */
public class HandedOver {
    private final ReentrantLock outer = new ReentrantLock();
    private final ReentrantLock inner = new ReentrantLock();
    private int count;

    private void enter() {
        outer.lock();
        inner.lock();
    }

    private void leaveOuter() {
        outer.unlock();
    }

    public int increment() {
        enter();
        leaveOuter();
        int before = count;
        count = before + 1;
        inner.unlock();
        return before;
    }

    public void reset() {
        outer.lock();
        count = 0;
        outer.unlock();
    }
}
