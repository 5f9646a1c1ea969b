package asercheck.confirm;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/** Repeats the calls of a client at the same time, until an outcome differs from every serial order. */
final class Stress {
    private static final int SERIAL_RUNS = 20;
    private static final long NANOSECONDS = 10_000_000_000L;

    private final Class<?> type;
    private SerialOrders orders;

    Stress(Class<?> type) {
        this.type = type;
    }

    /** Returns an outcome that differs from every serial order; null if there is none within ten seconds. */
    Map<String, String> run() throws Exception {
        int calls = new CompiledClient(type).calls(2);
        orders = new SerialOrders(calls + 1);
        for (int before = 0; before <= calls; before++) {
            for (int i = 0; i < SERIAL_RUNS; i++) {
                orders.add(before, serial(before, calls));
            }
        }
        long end = System.nanoTime() + NANOSECONDS;
        while (System.nanoTime() < end) {
            Map<String, String> outcome = concurrent(calls);
            if (orders.excludes(outcome)) {
                return outcome;
            }
        }
        return null;
    }

    SerialOrders orders() {
        return orders;
    }

    /** Returns the outcome of a serial order. */
    private Map<String, String> serial(int before, int calls) throws Exception {
        CompiledClient client = prepared();
        Object[][] results = {new Object[1], new Object[calls]};
        within(() -> calls(client, 2, results[1], 0, before));
        within(() -> calls(client, 1, results[0], 0, 1));
        within(() -> calls(client, 2, results[1], before, calls));
        return outcome(client, results);
    }

    /** Runs both sides at the same time. */
    private Map<String, String> concurrent(int calls) throws Exception {
        CompiledClient client = prepared();
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
                calls(client, number, results[number - 1], 0, results[number - 1].length);
                ended.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }
        ended.await();
        return outcome(client, results);
    }

    private CompiledClient prepared() throws Exception {
        CompiledClient client = new CompiledClient(type);
        try {
            client.prepare();
        } catch (Throwable thrown) {
            throw new IllegalStateException(thrown);
        }
        return client;
    }

    private static void within(Runnable action) throws InterruptedException {
        Thread thread = new Thread(action);
        thread.start();
        thread.join();
    }

    private static void calls(RunnableClient client, int side, Object[] results, int from, int to) {
        for (int number = from; number < to; number++) {
            try {
                results[number] = Arrays.asList(client.call(side, number));
            } catch (Throwable thrown) {
                results[number] = thrown;
            }
        }
    }

    private static Map<String, String> outcome(RunnableClient client, Object[][] results) {
        ValuePrinter printer = new ValuePrinter();
        Map<String, String> outcome = new LinkedHashMap<>();
        client.number(printer);
        for (int side = 1; side <= 2; side++) {
            for (int number = 0; number < results[side - 1].length; number++) {
                Object result = results[side - 1][number];
                boolean isThrown = result instanceof Throwable;
                String name = "thread " + side + "." + number;
                outcome.put(name, isThrown ? printer.threw((Throwable) result) : printer.of(((List<?>) result).get(0)));
            }
        }
        client.observe(printer, outcome);
        return outcome;
    }
}
