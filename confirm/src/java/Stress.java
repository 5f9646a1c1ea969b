package asercheck.confirm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/** Runs the calls of a client at the same time, again and again, until what comes is that of no serial order. */
final class Stress {
    private static final int SERIAL = 20;
    private static final long LONGEST = 10_000_000_000L;

    private final Class<?> client;
    private final List<Map<String, String>> orders = new ArrayList<>();

    Stress(Class<?> client) {
        this.client = client;
    }

    /** Whether it was seen within ten seconds: then what, else nothing. */
    Map<String, String> run() throws Exception {
        int calls = new Reproduced(client).calls(2);
        for (int before = 0; before <= calls; before++) {
            orders.add(serial(before, calls));
        }
        long end = System.nanoTime() + LONGEST;
        while (System.nanoTime() < end) {
            Map<String, String> seen = together(calls);
            if (orders.stream().allMatch(order -> AsercheckSupport.differs(order, seen))) {
                return seen;
            }
        }
        return null;
    }

    List<Map<String, String>> orders() {
        return orders;
    }

    private Map<String, String> serial(int before, int calls) throws Exception {
        Map<String, String> same = null;
        for (int i = 0; i < SERIAL; i++) {
            Reproduced work = prepared();
            Object[][] results = {new Object[1], new Object[calls]};
            within(() -> calls(work, 2, results[1], 0, before));
            within(() -> calls(work, 1, results[0], 0, 1));
            within(() -> calls(work, 2, results[1], before, calls));
            Map<String, String> outcome = outcome(work, results);
            if (same == null) {
                same = outcome;
            } else {
                same.entrySet().removeIf(entry -> !entry.getValue().equals(outcome.get(entry.getKey())));
            }
        }
        return same;
    }

    private Map<String, String> together(int calls) throws Exception {
        Reproduced work = prepared();
        Object[][] results = {new Object[1], new Object[calls]};
        CyclicBarrier barrier = new CyclicBarrier(2);
        CountDownLatch ended = new CountDownLatch(2);
        for (int side = 1; side <= 2; side++) {
            int number = side;
            Thread thread = new Thread(() -> {
                try {
                    barrier.await();
                } catch (Exception broken) {
                    throw new IllegalStateException(broken);
                }
                calls(work, number, results[number - 1], 0, results[number - 1].length);
                ended.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }
        ended.await();
        return outcome(work, results);
    }

    private Reproduced prepared() throws Exception {
        Reproduced work = new Reproduced(client);
        try {
            work.prepare();
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
        return work;
    }

    private static void within(Runnable action) throws InterruptedException {
        Thread thread = new Thread(action);
        thread.start();
        thread.join();
    }

    private static void calls(Work work, int side, Object[] results, int from, int to) {
        for (int number = from; number < to; number++) {
            try {
                results[number] = Arrays.asList(work.call(side, number));
            } catch (Throwable thrown) {
                results[number] = thrown;
            }
        }
    }

    private static Map<String, String> outcome(Work work, Object[][] results) {
        Show show = new Show();
        Map<String, String> outcome = new LinkedHashMap<>();
        work.number(show);
        for (int side = 1; side <= 2; side++) {
            for (int number = 0; number < results[side - 1].length; number++) {
                Object result = results[side - 1][number];
                boolean isThrown = result instanceof Throwable;
                String name = "thread " + side + "." + number;
                outcome.put(name, isThrown ? show.threw((Throwable) result) : show.of(((List<?>) result).get(0)));
            }
        }
        work.observe(show, outcome);
        return outcome;
    }
}
