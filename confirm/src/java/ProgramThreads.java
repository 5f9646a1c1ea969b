package asercheck.confirm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The threads of a whole program, and the times since which they wait. */
final class ProgramThreads {
    private final ThreadGroup group;
    private final Map<Thread, Long> waitsSince = new HashMap<>();
    /** The threads that the run has stopped. */
    private final Set<Thread> stopped = new HashSet<>();
    /** The time since which nothing has happened. */
    private long idleSince;
    private boolean isRunning = true;
    /** Whether a thread waits with a timeout. */
    private boolean hasTimed;

    ProgramThreads(ThreadGroup group) {
        this.group = group;
    }

    void stop(Thread thread) {
        stopped.add(thread);
    }

    void resume(Thread thread) {
        stopped.remove(thread);
        waitsSince.remove(thread);
    }

    boolean isStopped(Thread thread) {
        return stopped.contains(thread);
    }

    /** A thread does something. */
    void acts(Thread thread) {
        waitsSince.remove(thread);
    }

    private List<Thread> all() {
        Thread[] all = new Thread[group.activeCount() + 16];
        return new ArrayList<>(Arrays.asList(all).subList(0, group.enumerate(all, true)));
    }

    /** Reads the states of all threads; {@code hasActed}: a thread has been at a place, or has written output. */
    void update(long now, boolean hasActed) {
        boolean isIdle = !hasActed;
        boolean hasOthers = false;
        hasTimed = false;
        for (Thread thread : all()) {
            hasOthers |= !thread.isDaemon();
            isIdle &= stopped.contains(thread) || updateWaiting(thread, now);
        }
        isRunning = hasOthers;
        if (!isIdle) {
            idleSince = now;
        }
    }

    /** Updates the time since which a thread waits. Returns whether it waits. */
    private boolean updateWaiting(Thread thread, long now) {
        Thread.State state = thread.getState();
        hasTimed |= state == Thread.State.TIMED_WAITING;
        boolean waits = state == Thread.State.BLOCKED || state == Thread.State.WAITING
                || state == Thread.State.TIMED_WAITING && !sleeps(thread);
        if (waits) {
            waitsSince.putIfAbsent(thread, now);
        } else {
            waitsSince.remove(thread);
        }
        return waits || state == Thread.State.TERMINATED;
    }

    /** Whether a thread sleeps, so that it goes on without another one. */
    private static boolean sleeps(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        return frames.length > 0 && frames[0].getClassName().equals("java.lang.Thread")
                && frames[0].getMethodName().startsWith("sleep");
    }

    /** Whether a thread of the program runs that is no daemon. */
    boolean areRunning() {
        return isRunning;
    }

    /** Whether a thread has waited for a number of milliseconds, or has ended. */
    boolean waits(Thread thread, long now, long milliseconds) {
        Long since = waitsSince.get(thread);
        return since != null && now - since >= milliseconds || !thread.isAlive();
    }

    /** Whether a thread may go on after some time. */
    boolean mayWake() {
        return hasTimed;
    }

    /** Whether all threads that are not stopped have waited for a number of milliseconds. */
    boolean areIdle(long now, long milliseconds) {
        return now - idleSince >= milliseconds;
    }
}
