package features;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The iterator of the loop that joins threads has passed one of them before. */
public class MainRestJoinedB {
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
        Iterator<Thread> all = threads.iterator();
        all.next();
        while (all.hasNext()) {
            all.next().join();
        }
        counter.down();
    }
}
