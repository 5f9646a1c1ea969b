package features;

import java.util.ArrayList;
import java.util.List;

/** All threads of a list are joined: those put there before the start, and those put there after it. */
public class MainAllJoinedS {
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
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> counter.up());
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        counter.down();
    }
}
