package recorder;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.internal.org.objectweb.asm.Type;

/**
 * Calls the methods of classes at random, one after the other, each in a thread of its own.
 *
 * <p>{@code Driver FILE SEED RUNS CALLS MILLISECONDS} writes events to a file; the standard input has on each line
 * a folder and a class in it, separated by a tab.
 */
public final class Driver {
    /** The main thread of the driver. */
    static final Thread THREAD = Thread.currentThread();

    /** Factor of the time limit for the arguments of a call, relative to that of the call: the machine may be busy. */
    private static final int AHEAD = 40;

    /** Limit of threads: beyond it the virtual machine ends, since a program may start threads without end. */
    private static final int MOST_THREADS = 2_000;

    private final long seed;
    private final int runs;
    private final int calls;
    private final long patience;

    private Driver(String[] given) {
        seed = Long.parseLong(given[1]);
        runs = Integer.parseInt(given[2]);
        calls = Integer.parseInt(given[3]);
        patience = Long.parseLong(given[4]);
    }

    public static void main(String[] given) throws IOException {
        Driver driver = new Driver(given);
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(given[0])));
        Trace.to(out);
        watch();
        List<String> lines = new String(System.in.readAllBytes()).lines().toList();
        for (String line : lines) {
            String[] parts = line.split("\t");
            Recorder.newRun();
            Trace.tell("F", parts[0], parts[1]);
            // The class may end the virtual machine.
            Trace.flush();
            try {
                driver.subject(Path.of(parts[0]), parts[1]);
            } catch (ReflectiveOperationException | RuntimeException | Error problem) {
                Trace.tell("failed", problem);
            }
            Trace.flush();
        }
        out.flush();
        // Threads of the subjects may still run.
        Runtime.getRuntime().halt(0);
    }

    /** Ends the virtual machine if a program has started too many threads. The rest of the list is not recorded. */
    private static void watch() {
        Thread watcher = new Thread(() -> {
            try {
                while (Thread.activeCount() <= MOST_THREADS) {
                    Thread.sleep(20);
                }
                Trace.end("more than " + MOST_THREADS + " threads");
            } catch (InterruptedException interruption) {
                Trace.end("the watcher of threads was interrupted");
            }
        });
        watcher.setDaemon(true);
        watcher.setPriority(Thread.MAX_PRIORITY);
        watcher.start();
    }

    private void subject(Path folder, String name) throws IOException, ReflectiveOperationException {
        for (int run = 0; run < runs; run++) {
            // Static fields are initialized again as well.
            SubjectLoader loader = new SubjectLoader(folder);
            List<Class<?>> given = new ArrayList<>();
            for (String one : loader.given().names()) {
                if (!initialize(loader, one, given)) {
                    return;
                }
            }
            run(loader.loadClass(name), given, seed + run);
        }
    }

    /**
     * Runs the class initializers before anything is recorded. A class that refers to missing classes is not used for
     * arguments.
     */
    private boolean initialize(SubjectLoader loader, String name, List<Class<?>> given) {
        return driven(name, AHEAD * patience, () -> {
            Class<?> of = Class.forName(name, true, loader);
            // Each of these fails if a class is missing.
            of.getMethods();
            of.getDeclaredMethods();
            of.getDeclaredConstructors();
            of.getDeclaredFields();
            return given.add(of);
        });
    }

    private void run(Class<?> of, List<Class<?>> given, long seed) {
        Recorder.newRun();
        Trace.tell("R", seed);
        Random random = new Random(seed);
        Arguments arguments = new Arguments(random, given);
        Collection<Object> roots = arguments.known;
        List<Object> objects = new ArrayList<>();
        arguments.apart = hasObservers(of) ? of : null;
        boolean isDone = driven("<init>", () -> {
            objects.addAll(constants(of));
            for (int tries = 0; tries < 6 && objects.size() < 2; tries++) {
                Object made = arguments.made(of, 2);
                if (made != null) {
                    objects.add(made);
                }
            }
            return null;
        });
        if (!isDone) {
            return;
        }
        for (Object object : objects) {
            if (arguments.known.stream().noneMatch(known -> known == object)) {
                arguments.known.add(object);
            }
        }
        objects.forEach(object -> Trace.tell("I", Trace.number(object)));
        List<Method> methods = methods(of);
        for (int call = 0; call < calls && !methods.isEmpty(); call++) {
            Method method = methods.get(call < methods.size() ? call : random.nextInt(methods.size()));
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            if (!isStatic && objects.isEmpty()) {
                continue;
            }
            int place = random.nextInt(4) == 0 && !isStatic ? random.nextInt(objects.size()) : 0;
            Object receiver = isStatic ? null : objects.get(place);
            boolean isCompared = method.getName().equals("equals") || method.getName().startsWith("compare");
            arguments.apart = hasObservers(of) && !isCompared ? of : null;
            // The code that makes them may wait for locks that threads of earlier runs hold for ever, such as the
            // monitors of strings and small numbers.
            Object[][] made = new Object[1][];
            boolean isMade = driven("arguments of " + method.getName(), AHEAD * patience, () -> {
                made[0] = arguments.all(method.getGenericParameterTypes(), 2);
                return null;
            });
            if (!isMade || made[0] == null) {
                return;
            }
            Object[] values = made[0];
            List<Object> from = new ArrayList<>(roots);
            from.addAll(given);
            from.addAll(Arrays.stream(values).filter(Objects::nonNull).toList());
            Trace.tell("H");
            Heap.dump(from);
            if (!unit(method, receiver, values)) {
                return;
            }
        }
    }

    /**
     * Whether a class has methods of its own that are called on objects of universal types. Clients are assumed to
     * pass no object of such a class as one of a universal type.
     */
    private static boolean hasObservers(Class<?> of) {
        for (Class<?> one = of; SubjectLoader.isSubject(one); one = one.getSuperclass()) {
            for (Method method : one.getDeclaredMethods()) {
                if (List.of("hashCode", "toString", "equals").contains(method.getName())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns objects of a class that its static fields hold. */
    private static List<Object> constants(Class<?> of) throws ReflectiveOperationException {
        List<Object> found = new ArrayList<>();
        for (Field field : of.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == of) {
                field.setAccessible(true);
                if (field.get(null) != null) {
                    found.add(field.get(null));
                }
            }
        }
        return found;
    }

    private static List<Method> methods(Class<?> of) {
        List<Method> found = new ArrayList<>();
        for (Method method : of.getMethods()) {
            boolean isGiven = SubjectLoader.isSubject(method.getDeclaringClass());
            if (isGiven && !Modifier.isAbstract(method.getModifiers()) && !method.getName().startsWith("$recorded")) {
                found.add(method);
            }
        }
        found.sort(Comparator.comparing(Driver::name));
        return found;
    }

    private static String name(Executable method) {
        String descriptor = method instanceof Method plain
            ? Type.getMethodDescriptor(plain) : Type.getConstructorDescriptor((Constructor<?>) method);
        return method.getDeclaringClass().getName() + "." + method.getName() + descriptor;
    }

    /** Returns the method that a call runs. */
    private static Method selected(Method method, Object receiver) {
        for (Class<?> of = receiver == null ? null : receiver.getClass(); of != null; of = of.getSuperclass()) {
            for (Method own : of.getDeclaredMethods()) {
                boolean isIt = own.getName().equals(method.getName()) && own.getReturnType() == method.getReturnType();
                if (isIt && Arrays.equals(own.getParameterTypes(), method.getParameterTypes())) {
                    return own;
                }
            }
        }
        return method;
    }

    /** Calls a method as a unit of work. Returns whether it has ended in time. */
    private boolean unit(Method method, Object receiver, Object[] values) {
        method.setAccessible(true);
        String name = name(selected(method, receiver));
        return driven(name, () -> {
            boolean isThrown = false;
            Recorder.begins(name, receiver, values);
            try {
                method.invoke(receiver, values);
            } catch (InvocationTargetException thrown) {
                isThrown = true;
            } finally {
                Recorder.ends(isThrown);
            }
            return null;
        });
    }

    /** The code of a thread. */
    private interface Body {
        Object run() throws ReflectiveOperationException;
    }

    private boolean driven(String what, Body body) {
        return driven(what, patience, body);
    }

    private boolean driven(String what, long patience, Body body) {
        AtomicBoolean isDone = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            try {
                body.run();
                isDone.set(true);
            } catch (ReflectiveOperationException | RuntimeException | Error problem) {
                Trace.tell("#", what + ": " + problem);
                isDone.set(true);
            }
        });
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(patience);
        } catch (InterruptedException problem) {
            return false;
        }
        if (!isDone.get()) {
            Trace.tell("T", what);
            thread.interrupt();
        }
        return isDone.get();
    }
}
