package asercheck.confirm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One run of a client: two threads make its calls, in an order that the controller forces at the {@link Gate}; when both
 * are done, and what they started is quiet, the client looks at what it can tell.
 */
final class Attempt {
    /** Milliseconds for what happens before and after the calls. */
    private static final long PREPARING = 3000;

    private final Work work;
    /** So many milliseconds all threads must wait for each other before they hang. */
    private final long patience;
    private final Show show = new Show();
    /** What the calls of a side have returned or thrown; a call that has not ended has nothing. */
    private final Object[][] results = new Object[3][];
    private final Set<Thread> before = new HashSet<>();

    Attempt(Work work, long patience) {
        this.work = work;
        this.patience = patience;
    }

    /** The outcome: texts by what they are of; or the entry {@code failed} with the reason. */
    Map<String, String> run(ClassLoader loader) throws InterruptedException {
        Map<String, String> outcome = new LinkedHashMap<>();
        String failed = within("setup", loader, work::prepare);
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
        String thrown = within("observer", loader, () -> tell(outcome, isStuck));
        if (thrown != null) {
            outcome.put("afterwards", thrown);
        }
        return outcome;
    }

    /** What came of the calls, as it is when both are done; and what the client asks then. */
    private void tell(Map<String, String> outcome, boolean isStuck) {
        work.number(show);
        for (int side = 1; side <= 2; side++) {
            for (int number = 0; number < results[side].length; number++) {
                String name = "thread " + side + "." + number;
                outcome.put(name, text(name, results[side][number]));
            }
        }
        if (!isStuck) {
            work.observe(show, outcome);
            outcome.put("the same object", show.identical());
        }
    }

    private String text(String name, Object result) {
        if (result == null) {
            return "hangs";
        }
        if (result instanceof Thrown) {
            return show.threw(((Thrown) result).thrown);
        }
        Object value = ((Object[]) result)[0];
        show.remember(name, value);
        return show.of(value);
    }

    private static final class Thrown {
        final Throwable thrown;

        Thrown(Throwable thrown) {
            this.thrown = thrown;
        }
    }

    private Thread side(int side, ClassLoader loader) {
        int calls = work.calls(side);
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

    private Object one(int side, int number) {
        try {
            return new Object[] {work.call(side, number)};
        } catch (Throwable thrown) {
            return new Thrown(thrown);
        }
    }

    /** Waits for both; whether they wait for ever instead. */
    private boolean await(Thread first, Thread second) throws InterruptedException {
        long quiet = 0;
        long last = System.nanoTime();
        while (first.isAlive() || second.isAlive()) {
            (first.isAlive() ? first : second).join(quiet > 0 ? 5 : 1);
            long now = System.nanoTime();
            quiet = waits(first) && waits(second) && areQuiet(false) ? quiet + (now - last) : 0;
            last = now;
            if (quiet > patience * 1_000_000) {
                return true;
            }
        }
        return false;
    }

    private static boolean waits(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TERMINATED;
    }

    /** Groups of threads of the machine itself; the second one has a thread that cleans up, and wakes every minute. */
    private static final List<String> OF_MACHINE = java.util.Arrays.asList("system", "InnocuousThreadGroup");

    /** Whether no thread runs but those of the machine itself: whoever waits then waits for nobody, unless somebody wakes by himself. */
    private static boolean areQuiet(boolean mayWake) {
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

    /** Waits until what the calls have started is quiet, or a short time. */
    private void settle() throws InterruptedException {
        int quiet = 0;
        for (int i = 0; i < 60 && quiet < 2; i++) {
            if (areQuiet(true)) {
                quiet++;
                if (threads().size() <= before.size()) {
                    return;
                }
            } else {
                quiet = 0;
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

    /** Does something in a thread of its own; why it did not come to its end, if so. */
    static String within(String name, ClassLoader loader, Action action) throws InterruptedException {
        String[] why = {"it does not end"};
        Thread thread = new Thread(() -> {
            try {
                action.run();
                why[0] = null;
            } catch (Throwable thrown) {
                why[0] = new Show().threw(thrown);
            }
        }, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join(PREPARING);
        return why[0];
    }
}
