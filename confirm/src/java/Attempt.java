package asercheck.confirm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One run of a client. Two threads make its calls, in an order that the controller forces at the {@link Gate}. When
 * both have ended, and the threads that they started are idle, the observations follow.
 */
final class Attempt {
    /** The milliseconds for the preparation, and for the observations. */
    private static final long TIMEOUT = 3000;

    private final RunnableClient client;
    /** The milliseconds for which all threads must wait before a call counts as one that never returns. */
    private final long patience;
    private final ValuePrinter printer = new ValuePrinter();
    /** The results and exceptions of the calls, by side and number; null for a call that has not ended. */
    private final Object[][] results = new Object[3][];
    private final Set<Thread> before = new HashSet<>();

    Attempt(RunnableClient client, long patience) {
        this.client = client;
        this.patience = patience;
    }

    /**
     * Returns the outcome: texts by the names of observations. If the preparation fails, {@code failed} has the reason.
     */
    Map<String, String> run(ClassLoader loader) throws InterruptedException {
        Map<String, String> outcome = new LinkedHashMap<>();
        String failed = within("setup", loader, client::prepare);
        if (failed != null) {
            outcome.put("failed", failed);
            return outcome;
        }
        before.addAll(threads());
        Thread first = side(1, loader);
        Thread second = side(2, loader);
        first.start();
        second.start();
        boolean isStuck = await(first, second);
        if (!isStuck) {
            settle();
        }
        String thrown = within("observer", loader, () -> observe(outcome, isStuck));
        if (thrown != null) {
            outcome.put("afterwards", thrown);
        }
        return outcome;
    }

    /** Adds the results of the calls and, if both threads have ended, the observations. */
    private void observe(Map<String, String> outcome, boolean isStuck) {
        client.number(printer);
        for (int side = 1; side <= 2; side++) {
            for (int number = 0; number < results[side].length; number++) {
                String name = "thread " + side + "." + number;
                outcome.put(name, text(name, results[side][number]));
            }
        }
        if (!isStuck) {
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
        return printer.of(value);
    }

    private static final class Thrown {
        final Throwable thrown;

        Thrown(Throwable thrown) {
            this.thrown = thrown;
        }
    }

    private Thread side(int side, ClassLoader loader) {
        int calls = client.calls(side);
        results[side] = new Object[calls];
        Thread thread = new Thread(() -> {
            for (int number = 0; number < calls; number++) {
                Gate.begin(side, number);
                results[side][number] = one(side, number);
            }
            Gate.end(side);
        }, "thread " + side);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        return thread;
    }

    /** Makes a call. Returns its result in an array, or the exception. */
    private Object one(int side, int number) {
        try {
            return new Object[] {client.call(side, number)};
        } catch (Throwable thrown) {
            return new Thrown(thrown);
        }
    }

    /** Waits for both threads. Returns whether they wait forever. */
    private boolean await(Thread first, Thread second) throws InterruptedException {
        long idle = 0;
        long last = System.nanoTime();
        while (first.isAlive() || second.isAlive()) {
            (first.isAlive() ? first : second).join(idle > 0 ? 5 : 1);
            long now = System.nanoTime();
            idle = waits(first) && waits(second) && areIdle(false) ? idle + (now - last) : 0;
            last = now;
            if (idle > patience * 1_000_000) {
                return true;
            }
        }
        return false;
    }

    private static boolean waits(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TERMINATED;
    }

    /** The thread groups of the virtual machine. The second one has a cleaner thread, which wakes up every minute. */
    private static final List<String> OF_MACHINE = java.util.Arrays.asList("system", "InnocuousThreadGroup");

    /** Whether all other threads of the program wait; {@code mayWake}: also with a timeout. */
    private static boolean areIdle(boolean mayWake) {
        for (Thread thread : threads()) {
            ThreadGroup group = thread.getThreadGroup();
            boolean isOfMachine = group == null || OF_MACHINE.contains(group.getName());
            boolean isOwn = thread == Thread.currentThread() || thread.getName().startsWith("thread ");
            boolean sleeps = mayWake && thread.getState() == Thread.State.TIMED_WAITING;
            if (!isOfMachine && !isOwn && !sleeps && !waits(thread)) {
                return false;
            }
        }
        return true;
    }

    /** Waits for a short time until the threads that the calls have started are idle. */
    private void settle() throws InterruptedException {
        int idle = 0;
        for (int i = 0; i < 60 && idle < 2; i++) {
            if (areIdle(true)) {
                idle++;
                if (threads().size() <= before.size()) {
                    return;
                }
            } else {
                idle = 0;
            }
            Thread.sleep(2);
        }
    }

    private static List<Thread> threads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] all = new Thread[group.activeCount() + 16];
        int count = group.enumerate(all, true);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(all[i]);
        }
        return threads;
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
        thread.join(TIMEOUT);
        return why[0];
    }
}
