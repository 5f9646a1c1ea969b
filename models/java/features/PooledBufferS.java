package features;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A pool: a buffer belongs to the thread that has taken it, until it is put back. */
public class PooledBufferS {
    private static final class Buffer {
        private int used;
    }

    private final BlockingQueue<Buffer> free = new ArrayBlockingQueue<>(4);

    public PooledBufferS() {
        free.add(new Buffer());
        free.add(new Buffer());
    }

    public int use(int size) throws InterruptedException {
        Buffer buffer = free.take();
        try {
            buffer.used = size;
            buffer.used += 1;
            return buffer.used;
        } finally {
            free.put(buffer);
        }
    }
}
