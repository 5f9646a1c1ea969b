package features;

import java.util.ArrayList;
import java.util.List;

/** A loop joins threads before it starts them. */
public class MainJoinedFirstB {
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
            threads.add(new Thread(() -> counter.up()));
        }
        for (Thread thread : threads) {
            thread.join();
            thread.start();
        }
        counter.down();
    }
}
