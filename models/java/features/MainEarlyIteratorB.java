package features;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/** The iterator of the loop that joins threads was made before there were any. */
public class MainEarlyIteratorB {
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
        Set<Thread> threads = new HashSet<>();
        Iterator<Thread> all = threads.iterator();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> counter.up());
            threads.add(thread);
            thread.start();
        }
        while (all.hasNext()) {
            all.next().join();
        }
        counter.down();
    }
}
