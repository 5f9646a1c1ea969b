package features;

import java.util.ArrayList;
import java.util.List;

/** Not every thread is put into the list whose threads are joined. */
public class MainSomeJoinedB {
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
            if (i > 0) {
                threads.add(thread);
            }
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        counter.down();
    }
}
