package asercheck.confirm;

import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ThreadGroupReference;
import com.sun.jdi.ThreadReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The threads of a whole program, and since when they wait for something. */
final class ProgramThreads {
    private final Machine machine;
    private final Map<ThreadReference, Boolean> isOfProgram = new HashMap<>();
    private final Map<ThreadReference, Long> waitsSince = new HashMap<>();
    /** Those that the controller has stopped. */
    private final Set<ThreadReference> stopped = new HashSet<>();
    private long quietSince;

    ProgramThreads(Machine machine) {
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

    /** Looks what all threads do; something else has happened since the last time if {@code isNews}. */
    void look(long now, boolean isNews) {
        boolean isQuiet = !isNews;
        for (ThreadReference thread : machine.vm.allThreads()) {
            try {
                boolean isAsked = isOfProgram.computeIfAbsent(thread, this::isOfProgram) && !stopped.contains(thread);
                isQuiet &= !isAsked || looksWaiting(thread, now);
            } catch (ObjectCollectedException ended) {
                continue;
            }
        }
        if (!isQuiet) {
            quietSince = now;
        }
    }

    private boolean looksWaiting(ThreadReference thread, long now) {
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

    /** Whether a thread has waited for so many milliseconds. */
    boolean waits(ThreadReference thread, long now, long milliseconds) {
        Long since = waitsSince.get(thread);
        return since != null && now - since >= milliseconds;
    }

    /** Whether all that are not stopped have waited for so many milliseconds. */
    boolean areQuiet(long now, long milliseconds) {
        return now - quietSince >= milliseconds;
    }
}
