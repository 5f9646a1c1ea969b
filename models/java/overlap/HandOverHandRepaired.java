package overlap;

import java.util.concurrent.locks.ReentrantLock;

/** Two parts with a lock each. A lock is released only after the next one is acquired, and always in the same order. */
public class HandOverHandRepaired {
    private final ReentrantLock first = new ReentrantLock();
    private final ReentrantLock second = new ReentrantLock();
    private int left;
    private int right;

    public void move(int amount) {
        first.lock();
        left -= amount;
        second.lock();
        first.unlock();
        right += amount;
        second.unlock();
    }

    public int total() {
        first.lock();
        int before = left;
        second.lock();
        first.unlock();
        int sum = before + right;
        second.unlock();
        return sum;
    }
}
