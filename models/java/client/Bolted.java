package client;

import java.util.concurrent.locks.ReentrantLock;

/** Its lock is opened and closed by an object of its own, whose inside knows the lock outside. What was left is tested before. */
@SuppressWarnings("try")
public class Bolted {
    private static final class Bolt {
        private final ReentrantLock lock = new ReentrantLock();
        private final Latch latch = new Latch();

        Latch shut() {
            lock.lock();
            return latch;
        }

        /** One for every bolt. */
        private final class Latch implements AutoCloseable {
            @Override
            public void close() {
                lock.unlock();
            }
        }
    }

    private final Bolt bolt = new Bolt();
    private volatile int taken;
    private int left = 10;

    public boolean take() {
        try (Bolt.Latch latch = bolt.shut()) {
            if (left == 0) {
                return false;
            }
        }
        try (Bolt.Latch latch = bolt.shut()) {
            taken++;
            left--;
            return true;
        }
    }

    public void give() {
        try (Bolt.Latch latch = bolt.shut()) {
            taken--;
            left++;
        }
    }
}
