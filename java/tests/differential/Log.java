package differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What instrumented objects are asked while one method of the library runs, and the part that each of them has in the call. */
final class Log {
    /** A call of an instrumented object by the library. */
    record Event(Set<String> roles, String method, boolean onOther, boolean isLocked) {}

    private final Map<Object, Set<String>> roles = new IdentityHashMap<>();
    private final List<Event> events = new ArrayList<>();
    /** Whose monitor the calls may hold. */
    private volatile Object receiver;
    private final Thread caller;
    private final boolean isOn;

    private static volatile Log current = new Log(null, false);
    /** How many instrumented methods are on this thread's stack: what they call is not the library's doing. */
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    private Log(Thread caller, boolean isOn) {
        this.caller = caller;
        this.isOn = isOn;
    }

    /** Begins a new log of the calls by this thread and others. */
    static Log begin() {
        current = new Log(Thread.currentThread(), true);
        return current;
    }

    /** Ends logging; gives what was on before. */
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

    /** Gives an object a part: `this[]`, `1`, `1[]`, `yielded`. */
    synchronized void plays(Object object, String role) {
        if (object != null) {
            roles.computeIfAbsent(object, key -> Collections.synchronizedSet(new LinkedHashSet<>())).add(role);
        }
    }

    synchronized Set<String> rolesOf(Object object) {
        return new TreeSet<>(roles.getOrDefault(object, Set.of()));
    }

    /** Takes the events out. */
    synchronized List<Event> take() {
        List<Event> taken = new ArrayList<>(events);
        events.clear();
        return taken;
    }

    private synchronized void add(Object object, String method) {
        boolean isOther = Thread.currentThread() != caller;
        // What threads of calls before still do is not of this one.
        if (isOn && !(isOther && rolesOf(object).isEmpty())) {
            Object monitor = receiver;
            boolean isLocked = monitor == null || isOther || Thread.holdsLock(monitor);
            events.add(new Event(rolesOf(object), method, isOther, isLocked));
        }
    }

    /** Notes a call and runs it; what it calls in turn is not noted. */
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

    /** Runs something without noting calls. */
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
