package program.buffer;

import java.util.LinkedList;
import java.util.Queue;

/** A producer and consumers of a bounded buffer; a consumer waits with `if`, and another may have taken what it was told of. */
public final class Buffer {
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
        String item = queue.peek();
        if (item == null) {
            wait();
        }
        taken++;
        return queue.poll();
    }

    public static void main(String[] arguments) {
        Buffer buffer = new Buffer();
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
    private final Buffer buffer;

    Consumer(Buffer buffer) {
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
