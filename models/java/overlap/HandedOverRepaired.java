package overlap;

import java.util.concurrent.locks.ReentrantLock;

/** A lock that one method takes is released by another one from below a third lock, which stays held. */
public class HandedOverRepaired {
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
}
