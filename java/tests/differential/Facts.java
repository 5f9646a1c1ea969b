package differential;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Prints observations of library methods. The argument is the number of argument lists per method. Each fact is a line
 * with the class, the name and descriptor of the method, the observation and its details, separated by tabs.
 */
final class Facts {
    private Facts() {}

    /** The number of argument lists per method. */
    private static int most;

    private static ExecutorService caller = newCaller();

    private static ExecutorService newCaller() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
    }

    public static void main(String[] arguments) {
        most = Integer.parseInt(arguments[0]);
        for (Receivers.Receiver receiver : Receivers.all()) {
            Stream<Method> methods = Stream.of(receiver.type().getMethods());
            methods = methods.filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge());
            methods.sorted(Comparator.comparing(Method::toString))
                .forEach(method -> print(receiver, method));
        }
        for (Class<?> type : Receivers.statics()) {
            Stream<Method> methods = Stream.of(type.getDeclaredMethods());
            methods.filter(method -> Modifier.isStatic(method.getModifiers()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::toString))
                .forEach(method -> print(type.getName(), method, null));
            if (!Modifier.isAbstract(type.getModifiers())) {
                Stream.of(type.getConstructors()).sorted(Comparator.comparing(Constructor::toString))
                    .forEach(constructor -> print(type.getName(), constructor, null));
            }
        }
        System.out.flush();
        System.exit(0);
    }

    private static boolean isLeftOut(Executable method) {
        // Methods that exit or stop the virtual machine, wait for ever, or belong to all objects.
        Set<String> names = Set.of("exit", "halt", "gc", "wait", "notify", "notifyAll", "getClass", "runFinalization",
            "join", "sleep", "stop", "suspend", "resume", "countStackFrames", "setIn", "setOut", "setErr",
            "setSecurityManager", "load", "loadLibrary", "setProperties", "setDefaultUncaughtExceptionHandler",
            "dumpStack", "list", "console", "inheritedChannel", "transfer", "exchange", "getAllStackTraces");
        boolean isList = method.getDeclaringClass() == java.util.Collections.class;
        return names.contains(method.getName()) && !isList;
    }

    /** For an object of a class of this program, only the methods that it inherits from the library. */
    private static void print(Receivers.Receiver receiver, Method method) {
        Object example = Log.silently(() -> receiver.make().call().object());
        if (!example.getClass().getName().startsWith("differential.")) {
            print(receiver.name(), method, receiver);
            return;
        }
        Method actual = Log.silently(() -> example.getClass().getMethod(method.getName(), method.getParameterTypes()));
        String of = actual == null ? "differential." : actual.getDeclaringClass().getName();
        if (!of.startsWith("differential.")) {
            print(of, method, receiver);
        }
    }

    private static void print(String name, Executable method, Receivers.Receiver receiver) {
        if (isLeftOut(method)) {
            return;
        }
        Set<String> facts = new TreeSet<>();
        for (List<Supplier<Object>> makers : tries(method, receiver)) {
            Observer observer = new Observer(method, receiver, makers);
            if (isDone(observer)) {
                facts.addAll(observer.facts);
            }
        }
        String methodName = method instanceof Constructor ? "<init>" : method.getName();
        String prefix = name.replace('.', '/') + "\t" + methodName + "\t" + descriptor(method) + "\t";
        facts.forEach(fact -> System.out.println(prefix + fact));
        if (!facts.isEmpty()) {
            System.out.println(prefix + "called");
        }
    }

    /** Whether a call was observed within the time limit. */
    private static boolean isDone(Observer observer) {
        Future<?> done = caller.submit(() -> {
            observer.observe();
            return null;
        });
        try {
            done.get(200, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | java.util.concurrent.ExecutionException | InterruptedException late) {
            done.cancel(true);
            caller.shutdownNow();
            caller = newCaller();
            return false;
        }
    }

    private static List<List<Supplier<Object>>> tries(Executable method, Receivers.Receiver receiver) {
        Method asMethod = method instanceof Method found ? found : null;
        List<List<Supplier<Object>>> choices = new ArrayList<>();
        List<Object> held = held(receiver);
        for (Class<?> type : method.getParameterTypes()) {
            List<Supplier<Object>> some = Arguments.of(type, asMethod, held);
            if (some.isEmpty()) {
                return List.of();
            }
            choices.add(some);
        }
        List<List<Supplier<Object>>> tries = new ArrayList<>();
        int combinations = choices.stream().mapToInt(List::size).reduce(1, Facts::product);
        Random random = new Random(method.toString().hashCode());
        for (int number = 0; number < Math.min(combinations, most); number++) {
            List<Supplier<Object>> one = new ArrayList<>();
            int rest = combinations <= most ? number : random.nextInt(Integer.MAX_VALUE);
            for (List<Supplier<Object>> choice : choices) {
                one.add(choice.get(rest % choice.size()));
                rest = combinations <= most ? rest / choice.size() : random.nextInt(Integer.MAX_VALUE);
            }
            tries.add(one);
        }
        return tries;
    }

    private static int product(int one, int other) {
        return (int) Math.min((long) one * other, 1_000_000);
    }

    /** Items with the same numbers as the items in a receiver. */
    private static List<Object> held(Receivers.Receiver receiver) {
        return List.of(new Item(1), new Item(2));
    }

    private static String descriptor(Executable method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes()) {
            text.append(type.descriptorString());
        }
        Class<?> result = method instanceof Method found ? found.getReturnType() : void.class;
        return text.append(')').append(result.descriptorString()).toString();
    }
}
