package observed;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A client of all classes of a folder: it calls what it can call, in any order, with what it has; so does each of its own objects.
 * With the name of a class, it runs that class's {@code main} instead.
 */
public final class Client {
    private static final List<Object> HAS = Collections.synchronizedList(new ArrayList<>());
    private static final List<Executable> CALLS = new ArrayList<>();
    private static final List<Field> FIELDS = new ArrayList<>();
    private static Random random;
    private static int depth;

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        random = new Random(Long.parseLong(arguments[1]));
        ExecutorService executor = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        if (arguments.length > 2) {
            Class<?> type = Class.forName(arguments[2]);
            within(executor, () -> type.getMethod("main", String[].class).invoke(null, (Object) new String[0]), 2000);
        } else {
            load(Path.of(arguments[0]));
            for (int round = 0; round < Math.min(20 * CALLS.size(), 40_000); round++) {
                within(executor, Client::act, 20);
            }
        }
        Thread.sleep(50);
        Record.print(out);
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void within(ExecutorService executor, Task task, int milliseconds) throws InterruptedException {
        Future<?> future = executor.submit(() -> {
            task.run();
            return null;
        });
        try {
            future.get(milliseconds, TimeUnit.MILLISECONDS);
        } catch (TimeoutException blocked) {
            future.cancel(true);
        } catch (java.util.concurrent.ExecutionException failed) {
            // It may fail as it likes.
        }
    }

    private static void load(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace(File.separatorChar, '.');
            try {
                Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
                if (isVisible(type)) {
                    add(type);
                }
            } catch (ReflectiveOperationException | LinkageError error) {
                // A class that cannot be loaded is not there.
            }
        }
    }

    private static boolean isVisible(Class<?> type) {
        boolean isHidden = type.isAnonymousClass() || type.isLocalClass() || Modifier.isPrivate(type.getModifiers());
        return !isHidden;
    }

    private static void add(Class<?> type) {
        List<Executable> all = new ArrayList<>(List.of(type.getDeclaredMethods()));
        if (!Modifier.isAbstract(type.getModifiers())) {
            all.addAll(List.of(type.getDeclaredConstructors()));
        }
        for (Executable one : all) {
            if (!Modifier.isPrivate(one.getModifiers()) && !(one.isSynthetic() && !isPublic(one))) {
                one.setAccessible(true);
                CALLS.add(one);
            }
        }
        for (Field field : type.getDeclaredFields()) {
            if (isPublic(field) || Modifier.isProtected(field.getModifiers())) {
                field.setAccessible(true);
                FIELDS.add(field);
            }
        }
    }

    private static boolean isPublic(Member member) {
        return Modifier.isPublic(member.getModifiers());
    }

    /** Does one thing that a client can do. */
    private static void act() throws ReflectiveOperationException {
        if (!FIELDS.isEmpty() && random.nextInt(5) == 0) {
            access(FIELDS.get(random.nextInt(FIELDS.size())));
            return;
        }
        Executable call = CALLS.get(random.nextInt(CALLS.size()));
        Object[] arguments = new Object[call.getParameterCount()];
        for (int place = 0; place < arguments.length; place++) {
            arguments[place] = any(call.getParameterTypes()[place]);
        }
        try {
            if (call instanceof Constructor<?> constructor) {
                keep(constructor.newInstance(arguments));
            } else {
                Object receiver = Modifier.isStatic(call.getModifiers()) ? null : any(call.getDeclaringClass());
                keep(((Method) call).invoke(receiver, arguments));
            }
        } catch (InvocationTargetException error) {
            keep(error.getCause());
        }
        for (Object argument : arguments) {
            keep(argument);
        }
    }

    private static void access(Field field) throws IllegalAccessException {
        Object object = Modifier.isStatic(field.getModifiers()) ? null : any(field.getDeclaringClass());
        if (object == null && !Modifier.isStatic(field.getModifiers())) {
            return;
        }
        keep(field.get(object));
        if (!Modifier.isFinal(field.getModifiers())) {
            field.set(object, any(field.getType()));
        }
    }

    private static void keep(Object object) {
        if (object != null && HAS.size() < 4000) {
            HAS.add(object);
            takeOut(object);
        }
    }

    /** Clients take out what containers hold, and put in what they have. */
    @SuppressWarnings("unchecked")
    private static void takeOut(Object object) {
        try {
            if (object instanceof Object[] array && array.length > 0) {
                HAS.add(array[0]);
                array[0] = any(array.getClass().getComponentType());
            } else if (object.getClass().getName().startsWith("java.util.") && object instanceof List<?> list) {
                HAS.addAll(list);
                ((List<Object>) list).add(any(Object.class));
            }
            HAS.removeIf(one -> one == null);
        } catch (RuntimeException error) {
            // It cannot be changed.
        }
    }

    private static Object any(Class<?> type) {
        if (type.isPrimitive()) {
            return number(type);
        }
        List<Object> fitting = new ArrayList<>();
        synchronized (HAS) {
            HAS.stream().filter(type::isInstance).forEach(fitting::add);
        }
        if (!fitting.isEmpty() && random.nextInt(4) > 0) {
            return fitting.get(random.nextInt(fitting.size()));
        }
        Object fresh = fresh(type);
        if (fresh != null) {
            HAS.add(fresh);
        }
        return fresh;
    }

    private static Object fresh(Class<?> type) {
        if (type == String.class || type == Comparable.class || type == CharSequence.class) {
            return "text" + random.nextInt(3);
        }
        if (type == Object.class) {
            return random.nextBoolean() ? new Object() : "key" + random.nextInt(3);
        }
        if (type == Integer.class) {
            return random.nextInt(4);
        }
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), 2);
            if (!type.getComponentType().isPrimitive()) {
                Array.set(array, 0, any(type.getComponentType()));
            }
            return array;
        }
        if (type.isInterface()) {
            return Proxy.newProxyInstance(Client.class.getClassLoader(), new Class<?>[] {type}, Client::answer);
        }
        return ofClass(type);
    }

    private static Object ofClass(Class<?> type) {
        if (depth > 2 || Modifier.isAbstract(type.getModifiers())) {
            return null;
        }
        depth++;
        try {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                boolean isOwn = Record.GIVEN.contains(type.getName());
                if (isOwn ? CALLS.contains(constructor) : isPublic(constructor)) {
                    Object[] arguments = new Object[constructor.getParameterCount()];
                    for (int place = 0; place < arguments.length; place++) {
                        arguments[place] = any(constructor.getParameterTypes()[place]);
                    }
                    return constructor.newInstance(arguments);
                }
            }
        } catch (ReflectiveOperationException | RuntimeException error) {
            // Then there is none.
        } finally {
            depth--;
        }
        return null;
    }

    /** An object of the client answers a call, and keeps what it is given. */
    private static Object answer(Object own, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "equals":
                return own == arguments[0];
            case "hashCode":
                return System.identityHashCode(own);
            case "toString":
                return "client";
            case "compareTo", "compare":
                return 0;
            default:
                break;
        }
        if (arguments != null) {
            for (Object argument : arguments) {
                keep(argument);
            }
        }
        if (depth < 3 && random.nextInt(3) == 0 && !CALLS.isEmpty()) {
            depth++;
            try {
                act();
            } catch (ReflectiveOperationException | RuntimeException error) {
                // Calls of clients fail as well.
            } finally {
                depth--;
            }
        }
        return method.getReturnType() == void.class ? null : any(method.getReturnType());
    }

    private static Object number(Class<?> type) {
        int number = random.nextInt(4);
        if (type == boolean.class) {
            return number > 1;
        } else if (type == byte.class) {
            return (byte) number;
        } else if (type == char.class) {
            return (char) ('a' + number);
        } else if (type == short.class) {
            return (short) number;
        } else if (type == long.class) {
            return (long) number;
        } else if (type == float.class) {
            return (float) number;
        } else if (type == double.class) {
            return (double) number;
        }
        return number;
    }
}
