package features;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Reads after the wait. */
public class HelperHoldsS {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean open;
    private int count;

    public void add() {
        enter();
        lock.lock();
        while (!open) {
            opened.awaitUninterruptibly();
        }
        lock.unlock();
        int before = count;
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
