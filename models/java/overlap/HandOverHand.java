package overlap;

import java.util.concurrent.locks.ReentrantLock;

/** Two parts with a lock each. The first lock is released before the second one is acquired. */
public class HandOverHand {
    private final ReentrantLock first = new ReentrantLock();
    private final ReentrantLock second = new ReentrantLock();
    private final ReentrantLock third = new ReentrantLock();
    private int left;
    private int right;

    public void move(int amount) {
        first.lock();
        third.lock();
        left -= amount;
        first.unlock();
        second.lock();
        third.unlock();
        right += amount;
        second.unlock();
    }

    public int total() {
        first.lock();
        int before = left;
        first.unlock();
        second.lock();
        int sum = before + right;
        second.unlock();
        return sum;
    }
}
