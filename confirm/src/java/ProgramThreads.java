package asercheck.confirm;

import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ThreadGroupReference;
import com.sun.jdi.ThreadReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The threads of a whole program, and the times since which they wait. */
final class ProgramThreads {
    private final ProgramMachine machine;
    private final Map<ThreadReference, Boolean> isOfProgram = new HashMap<>();
    private final Map<ThreadReference, Long> waitsSince = new HashMap<>();
    /** The threads that the controller has stopped. */
    private final Set<ThreadReference> stopped = new HashSet<>();
    /** The time since which nothing has happened. */
    private long idleSince;

    ProgramThreads(ProgramMachine machine) {
        this.machine = machine;
    }

    void stop(ThreadReference thread) {
        stopped.add(thread);
    }

    void resume(ThreadReference thread) {
        stopped.remove(thread);
        waitsSince.remove(thread);
        thread.resume();
    }

    /**
     * Reads the states of all threads; {@code hasMessages} says whether events or output have come since the last time.
     */
    void update(long now, boolean hasMessages) {
        boolean isIdle = !hasMessages;
        for (ThreadReference thread : machine.vm.allThreads()) {
            try {
                boolean counts = isOfProgram.computeIfAbsent(thread, this::isOfProgram) && !stopped.contains(thread);
                isIdle &= !counts || updateWaiting(thread, now);
            } catch (ObjectCollectedException ended) {
                continue;
            }
        }
        if (!isIdle) {
            idleSince = now;
        }
    }

    /** Updates the time since which a thread waits. Returns whether it waits or has ended. */
    private boolean updateWaiting(ThreadReference thread, long now) {
        int status = thread.status();
        boolean waits = status == ThreadReference.THREAD_STATUS_MONITOR || status == ThreadReference.THREAD_STATUS_WAIT;
        if (waits) {
            waitsSince.putIfAbsent(thread, now);
        } else {
            waitsSince.remove(thread);
        }
        boolean isAlive = status != ThreadReference.THREAD_STATUS_ZOMBIE;
        return waits || !isAlive || status == ThreadReference.THREAD_STATUS_NOT_STARTED;
    }

    private boolean isOfProgram(ThreadReference thread) {
        ThreadGroupReference group = thread.threadGroup();
        String name = thread.name();
        return group != null && !group.name().equals("system") && !name.equals("DestroyJavaVM")
                && !name.equals(ProgramTarget.WATCHER);
    }

    /** Whether a thread has waited for a number of milliseconds. */
    boolean waits(ThreadReference thread, long now, long milliseconds) {
        Long since = waitsSince.get(thread);
        return since != null && now - since >= milliseconds;
    }

    /** Whether all threads that are not stopped have waited for a number of milliseconds. */
    boolean areIdle(long now, long milliseconds) {
        return now - idleSince >= milliseconds;
    }
}
