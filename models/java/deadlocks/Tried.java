package deadlocks;

import java.util.concurrent.locks.ReentrantLock;

/** No deadlock: one of the two orders only tries to get its second lock. */
public class Tried {
    private final ReentrantLock left = new ReentrantLock();
    private final ReentrantLock right = new ReentrantLock();
    private int moved;

    public boolean push() {
        left.lock();
        try {
            if (!right.tryLock()) {
                return false;
            }
            try {
                moved = moved + 1;
                return true;
            } finally {
                right.unlock();
            }
        } finally {
            left.unlock();
        }
    }

    public void pull() {
        right.lock();
        try {
            left.lock();
            try {
                moved = moved - 1;
            } finally {
                left.unlock();
            }
        } finally {
            right.unlock();
        }
    }
}
