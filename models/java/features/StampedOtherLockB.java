package features;

import java.util.concurrent.locks.StampedLock;

/** Another lock, whose read side is held, validates the stamp. */
public class StampedOtherLockB {
    private final StampedLock s = new StampedLock();
    private final StampedLock other = new StampedLock();
    private int a, b, c;
    public int sum() {
        long held = other.readLock();
        long t = s.tryOptimisticRead();
        int x = a, y = b;
        if (other.validate(t)) {
            return x + y;
        }
        other.unlockRead(held);
        return 0;
    }
    public void move() {
        long t = s.writeLock();
        try {
            a++;
            b--;
        } finally {
            s.unlockWrite(t);
        }
    }
    public void count() {
        long t = other.writeLock();
        try {
            c++;
        } finally {
            other.unlockWrite(t);
        }
    }
}
