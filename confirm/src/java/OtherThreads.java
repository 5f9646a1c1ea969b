package asercheck.confirm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The threads that the calls of a client have started. */
final class OtherThreads {
    private OtherThreads() {}

    private static boolean waits(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.BLOCKED || state == Thread.State.WAITING || state == Thread.State.TERMINATED;
    }

    /** The thread groups of the virtual machine. The second one has a cleaner thread, which wakes up every minute. */
    private static final List<String> OF_MACHINE = Arrays.asList("system", "InnocuousThreadGroup");
    /** The names of the threads of the target. */
    private static final List<String> OWN = Arrays.asList("main", "commands", "explorer", "thread 1", "thread 2",
            TestRun.THREAD);

    /** The threads of the target that never run code of clients. */
    private static final List<String> OF_TARGET = Arrays.asList("main", "commands");

    private static boolean isOfMachine(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group == null || OF_MACHINE.contains(group.getName());
    }

    private static boolean isOwn(Thread thread) {
        return thread == Thread.currentThread() || OWN.contains(thread.getName());
    }

    /** Whether all other threads of the program wait; {@code mayWake}: also with a timeout. */
    static boolean areIdle(boolean mayWake) {
        for (Thread thread : threads()) {
            boolean sleeps = mayWake && thread.getState() == Thread.State.TIMED_WAITING;
            if (!isOfMachine(thread) && !isOwn(thread) && !sleeps && !waits(thread)) {
                return false;
            }
        }
        return true;
    }

    /** Whether there are no threads but those of the run and of the Java machine. */
    static boolean areNone() {
        for (Thread thread : threads()) {
            if (!isOfMachine(thread) && !isOwn(thread)) {
                return false;
            }
        }
        return true;
    }

    /** Whether no thread but this one can do anything: all wait without a timeout. */
    static boolean doAllWait() {
        for (Thread thread : threads()) {
            boolean isOfTarget = thread == Thread.currentThread() || OF_TARGET.contains(thread.getName());
            if (!isOfMachine(thread) && !isOfTarget && !waits(thread)) {
                return false;
            }
        }
        return true;
    }

    private static ThreadGroup root() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** Returns the number of threads, as far as it is known. */
    static int count() {
        return root().activeCount();
    }

    private static List<Thread> threads() {
        Thread[] all = new Thread[count() + 16];
        int count = root().enumerate(all, true);
        return new ArrayList<>(Arrays.asList(all).subList(0, count));
    }
}
