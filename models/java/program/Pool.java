package program.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tasks of an executor add to a list and a sum of a static object; one of the two without the lock. */
public final class Pool {
    private static final Results RESULTS = new Results();

    public static void main(String[] arguments) {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 8; i++) {
            int number = i;
            executor.execute(() -> RESULTS.add(number));
        }
        executor.submit(new Printer());
        executor.shutdown();
    }

    private static final class Printer implements Runnable {
        @Override
        public void run() {
            System.out.println(RESULTS.average());
        }
    }
}

final class Results {
    private final List<Integer> all = new ArrayList<>();
    private int sum;

    void add(int number) {
        synchronized (this) {
            all.add(number);
        }
        synchronized (this) {
            sum += number;
        }
    }

    synchronized int average() {
        return all.isEmpty() ? 0 : sum / all.size();
    }
}
