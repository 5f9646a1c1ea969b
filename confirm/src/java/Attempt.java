package asercheck.confirm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of a client. Two threads make its calls, in the order of a schedule. When both have ended, and the threads
 * that they started are idle, the observations follow.
 */
final class Attempt {
    /**
     * The milliseconds of the time of day within which the preparation ends, and the observations; else the nanoseconds
     * of its thread's own time, and again of the time of day, so that a busy machine changes no answer.
     */
    private static final long USUAL = 300;
    private static final long LIMIT = 3_000_000_000L;
    private static final long LAST = 20_000_000_000L;

    private final RunnableClient client;
    private final Scheduler scheduler;
    /** The milliseconds for which all threads must wait before a call counts as one that never returns. */
    private final long patience;
    private final ValuePrinter printer = new ValuePrinter();
    /** The results and exceptions of the calls, by side and number; null for a call that has not ended. */
    private final Object[][] results = new Object[3][];
    private int threadsBefore;

    Attempt(RunnableClient client, Scheduler scheduler, long patience) {
        this.client = client;
        this.scheduler = scheduler;
        this.patience = patience;
    }

    /**
     * Returns the outcome of a run in new threads: texts by the names of observations. If the preparation fails, {@code
     * failed} has the reason.
     */
    Map<String, String> run(ClassLoader loader, Steps steps) throws InterruptedException {
        try {
            return runNew(loader, steps);
        } finally {
            TestRun.end();
        }
    }

    private Map<String, String> runNew(ClassLoader loader, Steps steps) throws InterruptedException {
        Map<String, String> outcome = new LinkedHashMap<>();
        String failed = within("setup", loader, client::prepare);
        if (failed != null) {
            outcome.put("failed", failed);
            return outcome;
        }
        SideThread[] threads = {new SideThread(1, loader), new SideThread(2, loader)};
        begin(threads[0].thread(), threads[1].thread(), steps);
        threads[0].execute(() -> calls(scheduler.sides[1]));
        threads[1].execute(() -> calls(scheduler.sides[2]));
        scheduler.go();
        boolean hangs = scheduler.await(patience);
        if (!hangs) {
            end();
            threads[0].end();
            threads[1].end();
        }
        String thrown = within("observer", loader, () -> observe(outcome, hangs));
        if (thrown != null) {
            outcome.put("afterwards", thrown);
        }
        return outcome;
    }

    /**
     * The same in threads that are kept: this thread prepares the client, makes the calls of the first side, and
     * observes. If a call never returns, this does not either.
     */
    Map<String, String> run(SideThread second, Steps steps) throws InterruptedException {
        try {
            return runAgain(second, steps);
        } finally {
            TestRun.end();
        }
    }

    private Map<String, String> runAgain(SideThread second, Steps steps) {
        Map<String, String> outcome = new LinkedHashMap<>();
        try {
            client.prepare();
        } catch (Throwable thrown) {
            outcome.put("failed", new ValuePrinter().threw(thrown));
            return outcome;
        }
        begin(Thread.currentThread(), second.thread(), steps);
        second.execute(() -> calls(scheduler.sides[2]));
        scheduler.go();
        calls(scheduler.sides[1]);
        while (!scheduler.hasEnded()) {
            LockSupport.park();
        }
        end();
        try {
            observe(outcome, false);
        } catch (Throwable thrown) {
            outcome.put("afterwards", new ValuePrinter().threw(thrown));
        }
        return outcome;
    }

    private void begin(Thread first, Thread second, Steps steps) {
        threadsBefore = OtherThreads.count();
        results[1] = new Object[client.calls(1)];
        results[2] = new Object[client.calls(2)];
        scheduler.begin(steps, first, second);
    }

    /** Ends a run whose sides have ended. */
    private void end() {
        scheduler.end();
        if (OtherThreads.count() > threadsBefore) {
            settle();
        }
    }

    private void calls(Side side) {
        scheduler.start(side);
        for (int number = 0; number < results[side.number].length; number++) {
            scheduler.atCall(side, number);
            results[side.number][number] = one(side.number, number);
            scheduler.returned(side);
        }
        scheduler.ended(side);
    }

    /** Makes a call. Returns its result in an array, or the exception. */
    private Object one(int side, int number) {
        try {
            return new Object[] {client.call(side, number)};
        } catch (Scheduler.GivenUp ended) {
            throw ended;
        } catch (Throwable thrown) {
            return new Thrown(thrown);
        }
    }

    private static final class Thrown {
        final Throwable thrown;

        Thrown(Throwable thrown) {
            this.thrown = thrown;
        }
    }

    /** Adds the results of the calls and, if both threads have ended, the observations. */
    private void observe(Map<String, String> outcome, boolean hangs) {
        client.number(printer);
        for (int side = 1; side <= 2; side++) {
            for (int number = 0; number < results[side].length; number++) {
                String name = "thread " + side + "." + number;
                outcome.put(name, text(name, results[side][number]));
            }
        }
        if (!hangs) {
            outcome.put("equal results", printer.equalNumbers());
            client.observe(printer, outcome);
            outcome.put("the same object", printer.identical());
        }
    }

    private String text(String name, Object result) {
        if (result == null) {
            return "hangs";
        }
        if (result instanceof Thrown) {
            return printer.threw(((Thrown) result).thrown);
        }
        Object value = ((Object[]) result)[0];
        printer.remember(name, value);
        printer.rememberNumber(name, value);
        return printer.of(value);
    }

    /** Waits for a short time until the threads that the calls have started are idle. */
    private void settle() {
        int idle = 0;
        for (int i = 0; i < 60 && idle < 2; i++) {
            if (OtherThreads.areIdle(true)) {
                idle++;
                if (OtherThreads.count() <= threadsBefore) {
                    return;
                }
            } else {
                idle = 0;
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    interface Action {
        void run() throws Throwable;
    }

    /** Executes an action in a thread of its own. Returns the reason if it does not end normally, otherwise null. */
    static String within(String name, ClassLoader loader, Action action) throws InterruptedException {
        String[] why = {"it does not end"};
        Thread thread = new Thread(() -> {
            try {
                action.run();
                why[0] = null;
            } catch (Throwable thrown) {
                why[0] = new ValuePrinter().threw(thrown);
            }
        }, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join(USUAL);
        // The measurement is slow to begin.
        if (thread.isAlive() && !new ThreadTime(thread).isWithin(LIMIT, LAST)) {
            return "it does not end";
        }
        return why[0];
    }
}
