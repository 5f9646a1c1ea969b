package features;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Waits on a lock that a helper has acquired before: the wait releases it altogether. */
public class HelperHoldsB {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean open;
    private int count;

    public void add() {
        enter();
        int before = count;
        lock.lock();
        while (!open) {
            opened.awaitUninterruptibly();
        }
        lock.unlock();
        count = before + 1;
        lock.unlock();
    }

    public void set(boolean value) {
        enter();
        open = value;
        opened.signalAll();
        lock.unlock();
    }

    private void enter() {
        lock.lock();
    }
}
