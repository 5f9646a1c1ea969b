package program.buffer.repaired;

import java.util.LinkedList;
import java.util.Queue;

/** A producer and consumers of a bounded buffer; what is waited for is tested again. */
public final class BufferRepaired {
    private final Queue<String> queue = new LinkedList<>();
    private int taken;

    public synchronized void put(String item) throws InterruptedException {
        while (queue.size() == 10) {
            wait();
        }
        queue.add(item);
        notifyAll();
    }

    public synchronized String take() throws InterruptedException {
        while (queue.isEmpty()) {
            wait();
        }
        taken++;
        return queue.poll();
    }

    public static void main(String[] arguments) {
        BufferRepaired buffer = new BufferRepaired();
        new Thread() {
            @Override
            public void run() {
                try {
                    buffer.put("item");
                } catch (InterruptedException e) {
                    interrupt();
                }
            }
        }.start();
        for (int i = 0; i < 2; i++) {
            new Consumer(buffer).start();
        }
    }
}

class Consumer extends Thread {
    private final BufferRepaired buffer;

    Consumer(BufferRepaired buffer) {
        this.buffer = buffer;
    }

    @Override
    public void run() {
        try {
            System.out.println(buffer.take());
        } catch (InterruptedException e) {
            interrupt();
        }
    }
}
