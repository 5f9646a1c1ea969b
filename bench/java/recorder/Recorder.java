package recorder;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.BaseStream;
import jdk.internal.org.objectweb.asm.Type;

/** The recorder: instrumented classes call its methods. */
public final class Recorder {
    private static final StackWalker WALKER = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);
    private static final ThreadLocal<State> STATES = ThreadLocal.withInitial(State::new);
    /** Methods that read the containers and arrays among their arguments. */
    private static final Set<String> READ = Set.of("addAll", "arraycopy", "containsAll", "copyOf", "copyOfRange", "max",
        "min", "putAll", "removeAll", "retainAll", "sort");
    /** The number of the current run: threads of earlier runs are not recorded. */
    private static volatile int era;
    /** Number of calls that must fit into the stack when an event is recorded. */
    private static final int DEPTH = 200;
    /** Number of errors that are thrown in a thread of an earlier run before it is stopped for good. */
    private static final int MOST_STOPS = 1000;
    private static int threads;

    private Recorder() {}

    /** State of a thread. */
    private static final class State {
        final int number = next();
        final int born = era;
        /** Monitors that it may hold, with the numbers of entries. */
        final List<Object> monitors = new ArrayList<>();
        final List<Integer> counts = new ArrayList<>();
        /** Atomics of its last compare-and-sets: they may be spin locks. */
        final List<Object> spun = new ArrayList<>();
        boolean isDriven;
        int stops;
        /** Whether the recorder itself is running. */
        boolean isBusy;

        private static synchronized int next() {
            return threads++;
        }
    }

    /** A library call that has not ended. */
    private static final class Call {
        String method;
        Object receiver;
        Object[] arguments;
        List<Object> bases = List.of();
        /** Number of containers of the receiver. */
        int own;
        final List<List<Object>> contents = new ArrayList<>();
        Object owner;
        Map<String, Object> fields = Map.of();
        int waited;
        List<Object> held = List.of();
        boolean isTold;
    }

    /** Code that records an event. */
    private interface Body {
        void run(State state);
    }

    private static void record(Body body) {
        State state = STATES.get();
        if (state.isBusy) {
            return;
        }
        if (state.born != era) {
            stop(state);
            return;
        }
        deepen(DEPTH, 0, 0);
        state.isBusy = true;
        try {
            synchronized (Trace.class) {
                if (state.born == era) {
                    poll(state);
                    body.run(state);
                }
            }
        } finally {
            state.isBusy = false;
        }
    }

    /**
     * Overflows the stack before an event is recorded, if recording might overflow it: half a line, or a table in
     * the middle of a change, would make all later events wrong.
     */
    private static long deepen(int depth, long first, long second) {
        return depth == 0 ? first + second : deepen(depth - 1, second, first + depth) + depth;
    }

    /** The error that is thrown in threads of earlier runs. */
    private static final class Stop extends Error {
        private static final long serialVersionUID = 1;

        Stop() {
            super("the run is over", null, false, false);
        }
    }

    /**
     * Ends a thread of an earlier run, so that it needs no time of later ones. Threads of the library's common pool may
     * work for later runs, and the driver's thread is not one of these.
     */
    private static void stop(State state) {
        Thread own = Thread.currentThread();
        if (own == Driver.THREAD || own instanceof ForkJoinWorkerThread) {
            return;
        }
        if (state.stops++ < MOST_STOPS) {
            throw new Stop();
        }
        while (true) {
            LockSupport.park();
        }
    }

    /** Begins a new run: threads of earlier ones are no longer recorded. */
    static void newRun() {
        synchronized (Trace.class) {
            era++;
            Trace.newRun();
            Locks.clear();
            Heap.clear();
        }
    }

    /** The driver's thread begins a unit. */
    static void begins(String method, Object receiver, Object[] arguments) {
        State state = STATES.get();
        state.isDriven = true;
        record(of -> unit(state, method, receiver, arguments));
    }

    /** The driver's thread has ended a unit. */
    static void ends(boolean isThrown) {
        record(state -> {
            for (Object monitor : List.copyOf(state.monitors)) {
                exit(state, state.monitors.indexOf(monitor));
            }
            Trace.tell("E", state.number, isThrown ? "throws" : "returns");
        });
    }

    /** Runs a constructor as a unit, which begins before the first steps of the constructor itself. */
    static Object constructed(Constructor<?> constructor, Object[] arguments) throws ReflectiveOperationException {
        State state = STATES.get();
        boolean wasDriven = state.isDriven;
        String name = constructor.getDeclaringClass().getName() + ".<init>" + Type.getConstructorDescriptor(constructor);
        boolean isThrown = true;
        begins(name, null, arguments);
        try {
            Object made = constructor.newInstance(arguments);
            isThrown = false;
            return made;
        } finally {
            ends(isThrown);
            state.isDriven = wasDriven;
        }
    }

    private static void unit(State state, String method, Object receiver, Object[] arguments) {
        StringJoiner numbers = new StringJoiner(",");
        for (Object argument : arguments) {
            boolean isPlain = argument == null || argument instanceof String || argument instanceof Number;
            numbers.add(isPlain ? "" : String.valueOf(Trace.number(argument)));
        }
        String own = receiver == null ? "" : String.valueOf(Trace.number(receiver));
        Trace.tell("U", state.number, method, own, numbers);
    }

    /** Control enters a method; in a thread of the program, it may be the first one. */
    public static void enters(String method, Object receiver) {
        record(state -> {
            if (!state.isDriven && WALKER.walk(frames -> frames.filter(Recorder::isRecorded).limit(2).count()) == 1) {
                unit(state, method, receiver, new Object[0]);
            }
        });
    }

    private static boolean isRecorded(StackFrame frame) {
        return SubjectLoader.isSubject(frame.getDeclaringClass());
    }

    /** A lock may have been released. */
    public static void polls() {
        record(state -> {});
    }

    /** Records the release of monitors that are no longer held. */
    private static void poll(State state) {
        for (int place = state.monitors.size() - 1; place >= 0; place--) {
            if (!Thread.holdsLock(state.monitors.get(place))) {
                exit(state, place);
            }
        }
    }

    private static void exit(State state, int place) {
        Trace.tell("X", state.number, Trace.number(state.monitors.remove(place)));
        state.counts.remove(place);
    }

    private static int place(State state, Object monitor) {
        for (int place = 0; place < state.monitors.size(); place++) {
            if (state.monitors.get(place) == monitor) {
                return place;
            }
        }
        return -1;
    }

    /** A monitor was entered. */
    public static void locked(Object monitor) {
        record(state -> {
            int place = place(state, monitor);
            if (place >= 0) {
                state.counts.set(place, state.counts.get(place) + 1);
            } else {
                enter(state, monitor, 1);
            }
        });
    }

    private static void enter(State state, Object monitor, int count) {
        Trace.tell("M", state.number, Trace.number(monitor));
        state.monitors.add(monitor);
        state.counts.add(count);
    }

    /** A monitor is about to be left. */
    public static void unlocks(Object monitor) {
        record(state -> {
            int place = place(state, monitor);
            if (place >= 0 && state.counts.get(place) > 1) {
                state.counts.set(place, state.counts.get(place) - 1);
            } else if (place >= 0) {
                exit(state, place);
            }
        });
    }

    public static void gets(Object object, String field) {
        if (object != null) {
            record(state -> Trace.tell("G", state.number, Trace.number(object), Heap.declared(object, field)));
        }
    }

    public static void puts(Object object, String field) {
        if (object != null) {
            record(state -> Trace.tell("P", state.number, Trace.number(object), Heap.declared(object, field)));
        }
    }

    public static void putsReference(Object object, Object value, String field) {
        if (object != null) {
            record(state -> {
                String held = value == null ? "" : String.valueOf(Trace.number(value));
                Trace.tell("P", state.number, Trace.number(object), Heap.declared(object, field), held);
            });
        }
    }

    public static void getsStatic(String field) {
        record(state -> Trace.tell("SG", state.number, field));
    }

    public static void putsStatic(String field) {
        record(state -> Trace.tell("SP", state.number, field));
    }

    public static void loads(Object array, int index) {
        if (array != null) {
            record(state -> Trace.tell("A", state.number, Trace.number(array), index));
        }
    }

    public static void stores(Object array, int index) {
        if (array != null) {
            record(state -> Trace.tell("B", state.number, Trace.number(array), index));
        }
    }

    /** A library method is about to be called. */
    public static Object before(String method, Object[] arguments, boolean hasReceiver) {
        Call call = new Call();
        call.method = method.substring(method.lastIndexOf('.') + 1);
        call.receiver = hasReceiver ? arguments[0] : null;
        call.arguments = arguments;
        if (hasReceiver && call.receiver == null) {
            return call;
        }
        record(state -> begins(state, call));
        return call;
    }

    private static void begins(State state, Call call) {
        Object receiver = call.receiver;
        if (receiver != null && Locks.isLock(receiver, call.method) && Locks.gives(call.method)) {
            Trace.tell("k", state.number, Trace.number(Locks.owner(receiver)), mode(call));
        } else if (receiver != null && call.method.equals("wait")) {
            int place = place(state, receiver);
            call.waited = place < 0 ? 0 : state.counts.get(place);
            if (place >= 0) {
                exit(state, place);
            }
        } else if (receiver instanceof Condition && call.method.startsWith("await")) {
            Trace.tell("k", state.number, Trace.number(Locks.owner(receiver)), "all");
        } else if (isHandle(receiver)) {
            Object object = call.arguments.length > 1 ? call.arguments[1] : null;
            if (object != null && SubjectLoader.isSubject(object.getClass()) && !(object instanceof Class)) {
                call.owner = object;
                call.fields = Heap.own(object);
                Trace.tell("L", state.number, call.method, Trace.number(object));
                call.isTold = true;
            } else if (object != null && object.getClass().isArray()) {
                accesses(state, call);
            }
        } else {
            accesses(state, call);
        }
    }

    private static boolean isHandle(Object object) {
        return object instanceof VarHandle || object instanceof AtomicIntegerFieldUpdater
            || object instanceof AtomicLongFieldUpdater || object instanceof AtomicReferenceFieldUpdater;
    }

    private static String mode(Call call) {
        return Locks.isReading(call.receiver, call.method) ? "r" : "w";
    }

    /** Returns the containers that a call may access: those of its receiver and its arguments. */
    private static void accesses(State state, Call call) {
        List<Object> found = new ArrayList<>();
        for (Object argument : call.arguments) {
            if (argument != null) {
                found.addAll(Heap.bases(argument));
            }
            if (argument == call.receiver) {
                call.own = found.size();
            }
        }
        if (found.isEmpty()) {
            return;
        }
        if (call.method.equals("set") || call.method.equals("lazySet") || call.method.startsWith("setRe")) {
            notSpun(state, call.receiver);
        }
        StringJoiner numbers = new StringJoiner(",");
        found.forEach(base -> numbers.add(String.valueOf(Trace.number(base))));
        call.held = held(call);
        call.held.forEach(monitor -> Trace.tell("M", state.number, Trace.number(monitor)));
        Trace.tell("L", state.number, call.method, numbers);
        found.forEach(base -> call.contents.add(Heap.content(base)));
        call.bases = found;
        call.isTold = true;
    }

    /** Returns the monitors that a library method acquires itself. */
    private static List<Object> held(Call call) {
        if (call.receiver == null) {
            return List.of();
        }
        Object receiver = behindWrappers(call.receiver);
        Object mutex = receiver.getClass().getName().startsWith("java.util.Collections$Synchronized")
            ? Heap.field(receiver, "mutex") : null;
        if (mutex != null) {
            return List.of(mutex);
        }
        for (Method method : receiver.getClass().getMethods()) {
            boolean isIt = method.getName().equals(call.method) && Modifier.isSynchronized(method.getModifiers());
            if (isIt && !SubjectLoader.isSubject(method.getDeclaringClass())) {
                return List.of(receiver);
            }
        }
        return List.of();
    }

    /** Returns the object inside of an unmodifiable or checked wrapper of the library. */
    private static Object behindWrappers(Object object) {
        String name = object.getClass().getName();
        boolean isWrapper = name.startsWith("java.util.Collections$Unmodifiable")
            || name.startsWith("java.util.Collections$Checked");
        Object inner = isWrapper ? Heap.field(object, name.endsWith("Map") ? "m" : "c") : null;
        return inner == null ? object : behindWrappers(inner);
    }

    /** A library method has returned. */
    public static void after(Object result, Object token) {
        ends((Call) token, result, false);
    }

    /** A library method has thrown. */
    public static void failed(Object token) {
        ends((Call) token, null, true);
    }

    private static void ends(Call call, Object result, boolean isThrown) {
        Object receiver = call.receiver;
        record(state -> {
            if (call.isTold) {
                told(state, call, result, isThrown);
            }
            if (receiver == null) {
                return;
            }
            if (call.waited > 0) {
                enter(state, receiver, call.waited);
            } else if (receiver instanceof Condition && call.method.startsWith("await")) {
                Trace.tell("K", state.number, Trace.number(Locks.owner(receiver)), "w");
            } else if (Locks.isLock(receiver, call.method) && !isThrown && Locks.takes(call.method, result)) {
                Trace.tell("K", state.number, Trace.number(Locks.owner(receiver)), mode(call));
            } else if (receiver instanceof StampedLock && call.method.equals("tryOptimisticRead")) {
                Trace.tell("O", state.number, Trace.number(receiver));
            } else if (receiver instanceof StampedLock && call.method.equals("validate")
                && Boolean.TRUE.equals(result)) {
                Trace.tell("V", state.number, Trace.number(receiver));
            }
            if (result != null) {
                Locks.learn(receiver, result);
            }
            if (call.bases.size() == 1 && (isSwapped(call, result) || isTaken(call, result))) {
                spun(state, receiver);
            }
        });
    }

    private static boolean isSwapped(Call call, Object result) {
        return Boolean.TRUE.equals(result) && call.method.contains("ompareAndSet");
    }

    /** Whether a get-and-set acquires a free flag, like a compare-and-set that expects the free state. */
    private static boolean isTaken(Call call, Object result) {
        boolean wasFree = Boolean.FALSE.equals(result) || Integer.valueOf(0).equals(result);
        boolean isFlag = call.receiver instanceof AtomicBoolean || call.receiver instanceof AtomicInteger;
        boolean isOther = call.isTold && !call.contents.get(0).equals(Heap.content(call.bases.get(0)));
        return isFlag && call.method.equals("getAndSet") && wasFree && isOther;
    }

    /** Records the effects of a call: the containers and fields with changed contents. */
    private static void told(State state, Call call, Object result, boolean isThrown) {
        // The terminal method of a stream reads its source.
        boolean isLater = result instanceof BaseStream;
        boolean isSwapped = isSwapped(call, result);
        StringJoiner done = new StringJoiner(",");
        for (int place = 0; place < call.bases.size(); place++) {
            boolean isSet = isSwapped && place < call.own;
            boolean isChanged = isSet || !call.contents.get(place).equals(Heap.content(call.bases.get(place)));
            boolean isRead = !isThrown && !isLater && (place < call.own || READ.contains(call.method));
            String what = isChanged ? "w" : isRead ? "r" : "n";
            done.add(Trace.number(call.bases.get(place)) + ":" + what);
        }
        if (call.owner != null) {
            Map<String, Object> now = new HashMap<>(Heap.own(call.owner));
            int owner = Trace.number(call.owner);
            now.forEach((field, value) -> {
                if (!value.equals(call.fields.get(field))) {
                    done.add(owner + ":w:" + field);
                }
            });
        }
        Trace.tell("l", state.number, call.method, done);
        call.held.forEach(monitor -> {
            if (place(state, monitor) < 0) {
                Trace.tell("X", state.number, Trace.number(monitor));
            }
        });
    }

    private static void spun(State state, Object atomic) {
        notSpun(state, atomic);
        state.spun.add(atomic);
        Trace.tell("K", state.number, Trace.number(atomic), "w");
    }

    private static void notSpun(State state, Object atomic) {
        if (state.spun.removeIf(one -> one == atomic)) {
            Trace.tell("k", state.number, Trace.number(atomic), "w");
        }
    }
}
