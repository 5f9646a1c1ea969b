package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An implementation of an interface. It answers with values of the declared types: the value that a setter of the
 * same property was given, else a fixed answer, else an argument of the type, else a simple value; interfaces are
 * answered with other stubs, always the same for a method.
 *
 * <p>Nothing of it is observed but what a call passes on: the number and order of calls depend on the interleaving,
 * and no contract forbids that. So its answers do not depend on them either, except for the setters.
 */
final class Stub implements InvocationHandler {
    /** The beginning of the places of stub methods in {@link Hints}. */
    static final String PLACE = "answer ";
    private static final int MAX_DEPTH = 4;
    private static final Object NULL = new Object();
    private static final int MAX_ASKED = 1000;
    /** The methods that the stubs made from now on were asked, as places; for the planner. */
    private static volatile List<String> current = Collections.synchronizedList(new ArrayList<>());

    private final Class<?> type;
    private final int depth;
    private final List<String> asked = current;
    private final Map<String, String> answers;
    private final Map<String, Object> state = new ConcurrentHashMap<>();

    private Stub(Class<?> type, Map<String, String> answers, int depth) {
        this.type = type;
        this.answers = answers;
        this.depth = depth;
    }

    /**
     * Returns a new stub. The answers have the form {@code class.method=value}; other stubs that it answers have them,
     * too.
     */
    static Object of(Class<?> type, String... answers) {
        Map<String, String> fixed = new ConcurrentHashMap<>();
        for (String answer : answers) {
            int end = answer.indexOf('=');
            fixed.put(answer.substring(0, end), answer.substring(end + 1));
        }
        return of(type, fixed, 0);
    }

    private static Object of(Class<?> type, Map<String, String> answers, int depth) {
        ClassLoader loader = type.getClassLoader() == null ? Stub.class.getClassLoader() : type.getClassLoader();
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, new Stub(type, answers, depth));
    }

    /**
     * Returns the methods that stubs were asked which were made since the last call of this method, the last one
     * first: the place, a colon, and the type of the answer. Threads that earlier clients have left ask other stubs.
     */
    static List<String> asked() {
        List<String> all;
        synchronized (current) {
            all = new ArrayList<>(new java.util.LinkedHashSet<>(current));
        }
        current = Collections.synchronizedList(new ArrayList<>());
        Collections.reverse(all);
        return all;
    }

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] given) {
        // An answer is one step: its own collections are no state of the program.
        Scheduler.Hook.off();
        try {
            return answered(proxy, method, given);
        } finally {
            Scheduler.Hook.on();
        }
    }

    private Object answered(Object proxy, java.lang.reflect.Method method, Object[] given) {
        Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method.getName(), arguments);
        }
        String property = property(method.getName());
        if (arguments.length == 1 && method.getName().startsWith("set") && method.getName().length() > 3) {
            state.put(property, arguments[0] == null ? NULL : arguments[0]);
            return method.getReturnType().isInstance(proxy) ? proxy : answer(method, arguments);
        }
        Object known = arguments.length == 0 ? state.get(property) : null;
        boolean fits = known != null && (known == NULL || wrapper(method.getReturnType()).isInstance(known));
        return fits ? known == NULL ? null : known : answer(method, arguments);
    }

    private static String property(String method) {
        String name = method.replaceFirst("^(get|set|is)(?=[A-Z])", "");
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private Object answer(java.lang.reflect.Method method, Object[] arguments) {
        Class<?> result = method.getReturnType();
        if (result == void.class) {
            return null;
        }
        if (asked.size() < MAX_ASKED) {
            asked.add(PLACE + type.getName() + "." + method.getName() + ":" + result.getName());
        }
        String fixed = answers.get(type.getName() + "." + method.getName());
        if (fixed != null) {
            return fixed(result, fixed);
        }
        for (Object argument : arguments) {
            if (!result.isPrimitive() && result.isInstance(argument)) {
                return argument;
            }
        }
        Object simple = simple(method);
        if (simple != null || result.isPrimitive()) {
            return simple;
        }
        if (isMaking(method.getName())) {
            return object(result);
        }
        Object made = state.get("()" + method.getName());
        if (made == null) {
            made = object(result);
            Object first = made == null ? null : state.putIfAbsent("()" + method.getName(), made);
            made = first == null ? made : first;
        }
        return made;
    }

    private static boolean isMaking(String name) {
        return name.startsWith("create") || name.startsWith("make") || name.startsWith("new")
                || name.startsWith("build")
                || name.startsWith("open") || name.startsWith("call") || name.startsWith("allocate");
    }

    /** Returns an answer that was given as a text. */
    private Object fixed(Class<?> result, String text) {
        if (text.equals("null") && !result.isPrimitive()) {
            return null;
        }
        if (result == String.class || result == Object.class || result == CharSequence.class) {
            return text;
        }
        if (result == boolean.class || result == Boolean.class) {
            return Boolean.valueOf(text);
        }
        try {
            return number(result, Long.parseLong(text));
        } catch (NumberFormatException none) {
            return number(result, 1);
        }
    }

    /** Returns a simple value; null for types that have none. */
    private Object simple(java.lang.reflect.Method method) {
        Class<?> result = method.getReturnType();
        String name = method.getName();
        if (result == boolean.class || result == Boolean.class) {
            return !isNegative(name);
        }
        if (result == String.class || result == CharSequence.class) {
            return "a";
        }
        if (result == Object.class && !isMaking(name)) {
            return "a";
        }
        // An endless input would never end.
        return number(result, name.startsWith("read") || name.startsWith("indexOf") ? -1 : 0);
    }

    /** Whether an object is usable, and an iteration ends, if the answer is false. */
    static boolean isNegative(String name) {
        String[] words = {"isClosed", "isShut", "isTerminated", "isCancel", "isDone", "isInterrupted", "isEmpty",
            "isNull", "isStopped", "isDestroyed", "hasNext", "hasMore", "wasNull", "next", "isReadOnly", "isExpired",
            "isError",
            "isClosing",
            "isDisposed", "isDead", "isAbstract", "isDisposing", "isCompleted", "isSuspended", "isPaused"};
        for (String word : words) {
            if (name.startsWith(word)) {
                return true;
            }
        }
        return false;
    }

    private static Object number(Class<?> type, long value) {
        if (type == int.class || type == Integer.class || type == Number.class) {
            return (int) value;
        }
        if (type == long.class || type == Long.class) {
            return value;
        }
        if (type == double.class || type == Double.class) {
            return (double) value;
        }
        if (type == float.class || type == Float.class) {
            return (float) value;
        }
        if (type == char.class || type == Character.class) {
            return 'a';
        }
        if (type == short.class || type == Short.class) {
            return (short) value;
        }
        return type == byte.class || type == Byte.class ? (Object) (byte) value : null;
    }

    private static Class<?> wrapper(Class<?> type) {
        return type.isPrimitive() && type != void.class
                ? java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type, 1), 0).getClass()
                : type;
    }

    /** Returns an object of a type, made of other stubs if need be; null if that fails. */
    private Object object(Class<?> result) {
        return object(result, depth + 1);
    }

    private Object object(Class<?> result, int level) {
        if (level > MAX_DEPTH) {
            return null;
        }
        if (result.isArray()) {
            return java.lang.reflect.Array.newInstance(result.getComponentType(), 0);
        }
        if (result == Object.class) {
            return new Object();
        }
        if (result.isAssignableFrom(ArrayList.class) && Iterable.class.isAssignableFrom(result)) {
            return new ArrayList<>();
        }
        if (result.isAssignableFrom(java.util.LinkedHashSet.class) && Iterable.class.isAssignableFrom(result)) {
            return new java.util.LinkedHashSet<>();
        }
        if (result.isAssignableFrom(java.util.LinkedHashMap.class)) {
            return new java.util.LinkedHashMap<>();
        }
        if (result == java.util.Optional.class) {
            return java.util.Optional.empty();
        }
        if (result.isEnum()) {
            return result.getEnumConstants().length == 0 ? null : result.getEnumConstants()[0];
        }
        try {
            return result.isInterface() ? of(result, answers, level) : constructed(result, level);
        } catch (RuntimeException | LinkageError failed) {
            return null;
        }
    }

    private Object constructed(Class<?> result, int level) {
        if (Modifier.isAbstract(result.getModifiers()) || !Modifier.isPublic(result.getModifiers())) {
            return null;
        }
        Constructor<?>[] all = result.getConstructors();
        java.util.Arrays.sort(all, java.util.Comparator.<Constructor<?>>comparingInt(Constructor::getParameterCount)
                .thenComparing(Object::toString));
        for (Constructor<?> constructor : all) {
            Class<?>[] parameters = constructor.getParameterTypes();
            Object[] given = new Object[parameters.length];
            for (int i = 0; i < given.length; i++) {
                Class<?> parameter = parameters[i];
                Object number = number(parameter, 1);
                given[i] = parameter == boolean.class ? Boolean.TRUE : parameter == String.class ? "a"
                        : number != null ? number : object(parameter, level + 1);
            }
            try {
                return constructor.newInstance(given);
            } catch (ReflectiveOperationException failed) {
                continue;
            }
        }
        return null;
    }

    private static Object ofObject(Object proxy, String name, Object[] arguments) {
        switch (name) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return 1;
            default:
                return "function";
        }
    }
}
