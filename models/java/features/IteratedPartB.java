package features;

import java.util.concurrent.locks.ReentrantLock;

/** The cursor takes from the queue of its holder without the lock. */
public class IteratedPartB {
    private final Queue queue = new Queue();
    private Queue.Cursor cursor;

    public synchronized int next() {
        if (cursor == null) {
            cursor = queue.new Cursor();
        }
        return cursor.take();
    }

    public int add() {
        return queue.add();
    }

    /** Holds another queue. */
    public static final class Keyed {
        private final Queue queue = new Queue();
        private Queue.Cursor cursor;

        public synchronized int next() {
            if (cursor == null) {
                cursor = queue.new Cursor();
            }
            return cursor.take();
        }
    }

    private static final class Queue {
        private final ReentrantLock lock = new ReentrantLock();
        private int count;

        int add() {
            lock.lock();
            try {
                return ++count;
            } finally {
                lock.unlock();
            }
        }

        private final class Cursor {
            int take() {
                return count > 0 ? count-- : 0;
            }
        }
    }
}
