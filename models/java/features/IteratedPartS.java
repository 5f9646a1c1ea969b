package features;

import java.util.concurrent.locks.ReentrantLock;

/** The cursor reaches a queue, which is the one of its own holder: one lock protects the count. */
public class IteratedPartS {
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
                lock.lock();
                try {
                    return count > 0 ? count-- : 0;
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
