package differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The calls of instrumented objects while one library method runs, and the role of each object in the call. */
final class Log {
    /** A call of an instrumented object by the library. */
    record Event(Set<String> roles, String method, boolean onOther, boolean isLocked) {}

    private final Map<Object, Set<String>> roles = new IdentityHashMap<>();
    private final List<Event> events = new ArrayList<>();
    /** The object whose monitor the calls may hold. */
    private volatile Object receiver;
    private final Thread caller;
    private final boolean isOn;

    private static volatile Log current = new Log(null, false);
    /** The number of instrumented methods on the stack of this thread. The library does not make their calls. */
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    private Log(Thread caller, boolean isOn) {
        this.caller = caller;
        this.isOn = isOn;
    }

    /** Starts a new log of the calls by all threads. */
    static Log begin() {
        current = new Log(Thread.currentThread(), true);
        return current;
    }

    /** Stops logging; returns the previous log. */
    static Log off() {
        Log before = current;
        current = new Log(null, false);
        return before;
    }

    static void on(Log log) {
        current = log;
    }

    static Log now() {
        return current;
    }

    /** The object whose method is called. */
    void isFor(Object receiver) {
        this.receiver = receiver;
    }

    /** Assigns a role to an object: `this[]`, `1`, `1[]`, `yielded`. */
    synchronized void plays(Object object, String role) {
        if (object != null) {
            roles.computeIfAbsent(object, key -> Collections.synchronizedSet(new LinkedHashSet<>())).add(role);
        }
    }

    synchronized Set<String> rolesOf(Object object) {
        return new TreeSet<>(roles.getOrDefault(object, Set.of()));
    }

    /** Removes and returns the events. */
    synchronized List<Event> take() {
        List<Event> taken = new ArrayList<>(events);
        events.clear();
        return taken;
    }

    private synchronized void add(Object object, String method) {
        boolean isOther = Thread.currentThread() != caller;
        // Threads of earlier calls may still run; their calls do not belong to this log.
        if (isOn && !(isOther && rolesOf(object).isEmpty())) {
            Object monitor = receiver;
            boolean isLocked = monitor == null || isOther || Thread.holdsLock(monitor);
            events.add(new Event(rolesOf(object), method, isOther, isLocked));
        }
    }

    /** Logs a call and runs it; nested calls are not logged. */
    static <R> R called(Object object, String method, java.util.concurrent.Callable<R> body) {
        int[] depth = DEPTH.get();
        if (depth[0] == 0) {
            current.add(object, method);
        }
        depth[0]++;
        try {
            return body.call();
        } catch (RuntimeException | Error exception) {
            throw exception;
        } catch (Exception exception) {
            throw new IllegalStateException(exception);
        } finally {
            depth[0]--;
        }
    }

    /** Runs an action without logging. */
    static <R> R silently(java.util.concurrent.Callable<R> body) {
        int[] depth = DEPTH.get();
        depth[0]++;
        try {
            return body.call();
        } catch (Throwable exception) {
            return null;
        } finally {
            depth[0]--;
        }
    }
}
