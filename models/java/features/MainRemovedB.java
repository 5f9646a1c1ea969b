package features;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A thread is removed from the list whose threads are joined. */
public class MainRemovedB {
    static class Counter {
        int n;

        synchronized void up() {
            n++;
        }

        void down() {
            n--;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Counter counter = new Counter();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> counter.up());
            threads.add(thread);
            thread.start();
        }
        Iterator<Thread> some = threads.iterator();
        some.next();
        some.remove();
        for (Thread thread : threads) {
            thread.join();
        }
        counter.down();
    }
}
