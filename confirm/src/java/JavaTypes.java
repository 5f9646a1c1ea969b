package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Creates objects of library types whose constructors do not suffice: collections, streams, locks, executors. */
final class JavaTypes {
    /** The text that asks for a file that exists, in place of its name. */
    static final String EXISTING = "an existing file";

    private static final Class<?>[] COLLECTIONS = {ArrayList.class, LinkedHashSet.class, ArrayDeque.class,
            TreeSet.class};
    private static final Class<?>[] MAPS = {LinkedHashMap.class, TreeMap.class,
        java.util.concurrent.ConcurrentHashMap.class, java.util.HashMap.class, java.util.Properties.class};
    /** Other types whose objects are made here; interfaces stand for themselves. */
    private static final Class<?>[] OTHERS = {java.util.Iterator.class, java.util.ListIterator.class,
        java.util.Enumeration.class, java.io.InputStream.class, java.io.ByteArrayInputStream.class,
        java.io.OutputStream.class,
        java.io.Reader.class, java.io.Writer.class, Appendable.class, java.util.concurrent.locks.Lock.class,
        java.util.Random.class, java.util.Locale.class, java.util.concurrent.ExecutorService.class,
        java.util.concurrent.ScheduledExecutorService.class, java.util.concurrent.Executor.class, java.net.URI.class,
        java.net.URL.class, java.io.File.class, java.nio.file.Path.class, java.time.Duration.class,
        java.nio.charset.Charset.class,
        java.util.Date.class, java.util.TimeZone.class, java.lang.reflect.Method.class};

    /** Returns an object of a type; null for all other types. */
    Expression make(Arguments arguments, Type generic, Class<?> raw, int depth) throws CreationException {
        if (!raw.getName().startsWith("java.") || raw == Iterable.class && depth > 3) {
            return null;
        }
        for (Class<?> type : COLLECTIONS) {
            if (raw.isAssignableFrom(type) && (raw.isInterface() || raw == type || raw.getName().contains("Abstract"))
                    && Iterable.class.isAssignableFrom(raw)) {
                return collection(arguments, type, arguments.argument(generic, 0, String.class), depth);
            }
        }
        for (Class<?> type : MAPS) {
            if (raw.isAssignableFrom(type) && java.util.Map.class.isAssignableFrom(raw)) {
                return map(arguments, type, generic, depth);
            }
        }
        return other(arguments, generic, raw, depth);
    }

    /** Whether objects of a type are made here. */
    static boolean isKnown(Class<?> raw) {
        if (!raw.getName().startsWith("java.")) {
            return false;
        }
        for (Class<?>[] all : new Class<?>[][] {COLLECTIONS, MAPS, OTHERS}) {
            for (Class<?> type : all) {
                if (raw == type || raw.isInterface() && raw.isAssignableFrom(type)) {
                    return true;
                }
            }
        }
        return false;
    }

    private Expression collection(Arguments arguments, Class<?> type, Class<?> element, int depth)
            throws CreationException {
        Class<?> component = element.isPrimitive() ? Object.class : element;
        List<Expression> elements = new ArrayList<>();
        elements.add(arguments.within("[]", component, component, depth + 1));
        elements.add(arguments.within("[]", component, component, depth + 1));
        Expression array = new Expression.ArrayOf(Object.class, elements);
        Expression list = new Expression.Call(method(Arrays.class, "asList", Object[].class), null, one(array));
        return new Expression.New(constructor(type, java.util.Collection.class), one(list));
    }

    private Expression map(Arguments arguments, Class<?> type, Type generic, int depth) throws CreationException {
        Class<?> key = arguments.argument(generic, 0, String.class);
        Class<?> value = arguments.argument(generic, 1, String.class);
        boolean isText = key == String.class || key == Object.class;
        if (isText && !arguments.keys().isEmpty()) {
            return withKeys(arguments, type, value, depth);
        }
        if (type == java.util.Properties.class) {
            return new Expression.New(constructor(type), Collections.emptyList());
        }
        List<Expression> entry = new ArrayList<>();
        entry.add(arguments.within("key", key, key, depth + 1));
        entry.add(arguments.within("value", value, value, depth + 1));
        Expression map = new Expression.Call(
                method(Collections.class, "singletonMap", Object.class, Object.class), null, entry);
        return new Expression.New(constructor(type, java.util.Map.class), one(map));
    }

    /** Returns a map with the keys that the code looks up, or some of them after a failure. */
    private Expression withKeys(Arguments arguments, Class<?> type, Class<?> value, int depth)
            throws CreationException {
        Expression empty = new Expression.New(constructor(type), Collections.emptyList());
        Expression.Variable map = arguments.variable(empty, type);
        for (String key : arguments.keys()) {
            if (!arguments.hasKey(key)) {
                continue;
            }
            List<Expression> entry = new ArrayList<>();
            entry.add(new Expression.Literal(key, literal(key)));
            entry.add(arguments.within(key, value, value, depth + 1));
            arguments.call(new Expression.Call(method(java.util.Map.class, "put", Object.class, Object.class), map,
                    entry));
        }
        return map;
    }

    private Expression other(Arguments arguments, Type generic, Class<?> raw, int depth) throws CreationException {
        if (raw == java.util.Iterator.class || raw == java.util.ListIterator.class) {
            Expression list = collection(arguments, ArrayList.class, arguments.argument(generic, 0, String.class),
                    depth);
            return new Expression.Call(method(List.class, "listIterator"), list, Collections.emptyList());
        }
        if (raw == java.util.Enumeration.class) {
            Expression list = collection(arguments, ArrayList.class, arguments.argument(generic, 0, String.class),
                    depth);
            return new Expression.Call(method(Collections.class, "enumeration", java.util.Collection.class), null,
                    one(list));
        }
        if (raw == java.io.InputStream.class || raw == java.io.ByteArrayInputStream.class) {
            Expression bytes = arguments.within("[]", byte[].class, byte[].class, depth + 1);
            return new Expression.New(constructor(java.io.ByteArrayInputStream.class, byte[].class), one(bytes));
        }
        if (raw == java.io.OutputStream.class) {
            return new Expression.New(constructor(java.io.ByteArrayOutputStream.class), Collections.emptyList());
        }
        if (raw == java.io.Reader.class) {
            return new Expression.New(constructor(java.io.StringReader.class, String.class), one(arguments.string()));
        }
        if (raw == java.io.Writer.class || raw == Appendable.class) {
            return new Expression.New(constructor(java.io.StringWriter.class), Collections.emptyList());
        }
        if (raw == java.util.concurrent.locks.Lock.class) {
            Constructor<?> constructor = constructor(java.util.concurrent.locks.ReentrantLock.class);
            return new Expression.New(constructor, Collections.emptyList());
        }
        if (raw == java.util.Random.class) {
            Expression seed = new Expression.Literal(42L, "42L");
            return new Expression.New(constructor(java.util.Random.class, long.class), one(seed));
        }
        if (raw == java.util.Locale.class) {
            return new Expression.Constant(field(java.util.Locale.class, "ROOT"));
        }
        Expression simple = simple(arguments, raw);
        return simple == null ? executor(raw) : simple;
    }

    private static Expression simple(Arguments arguments, Class<?> raw) {
        if (raw == java.net.URI.class) {
            return new Expression.Call(method(raw, "create", String.class), null, one(site(arguments)));
        }
        if (raw == java.net.URL.class) {
            return new Expression.New(constructor(raw, String.class), one(site(arguments)));
        }
        if (raw == java.io.File.class) {
            Constructor<?> constructor = constructor(raw, String.class);
            boolean exists = EXISTING.equals(arguments.wanted(constructor, ""));
            return exists ? existing() : new Expression.New(constructor, one(path(arguments, constructor)));
        }
        if (raw == java.nio.file.Path.class) {
            Expression none = new Expression.ArrayOf(String.class, Collections.emptyList());
            Method get = method(java.nio.file.Paths.class, "get", String.class, String[].class);
            if (EXISTING.equals(arguments.wanted(get, ""))) {
                return new Expression.Call(method(java.io.File.class, "toPath"), existing(), Collections.emptyList());
            }
            return new Expression.Call(get, null, Arrays.asList(path(arguments, get), none));
        }
        if (raw == java.time.Duration.class) {
            return new Expression.Call(method(raw, "ofSeconds", long.class), null, one(number(arguments, 1, 2)));
        }
        if (raw == java.nio.charset.Charset.class) {
            String name = arguments.either("UTF_8", "UTF_16");
            return new Expression.Constant(field(java.nio.charset.StandardCharsets.class, name));
        }
        if (raw == java.util.Date.class) {
            return new Expression.New(constructor(raw, long.class), one(number(arguments, 1000, 2000)));
        }
        if (raw == java.util.TimeZone.class) {
            Expression name = text(arguments.either("UTC", "GMT+05:30"));
            return new Expression.Call(method(raw, "getTimeZone", String.class), null, one(name));
        }
        if (raw == Method.class) {
            Expression none = new Expression.ArrayOf(Class.class, Collections.emptyList());
            Method get = method(Class.class, "getMethod", String.class, Class[].class);
            return new Expression.Call(get, new Expression.ClassObject(Object.class), Arrays.asList(text("toString"),
                    none));
        }
        return null;
    }

    /** Returns the name of a file that does not exist, or another one if a failure asks for it. */
    private static Expression path(Arguments arguments, java.lang.reflect.Executable maker) {
        return text(arguments.wanted(maker, arguments.either("a", "b")));
    }

    /** Returns an empty file that exists. */
    private static Expression existing() {
        Method create = method(java.io.File.class, "createTempFile", String.class, String.class);
        Expression suffix = new Expression.Literal(null, "null");
        return new Expression.Call(create, null, Arrays.asList(text("asercheck"), suffix));
    }

    private static Expression site(Arguments arguments) {
        return text(arguments.either("http://localhost/", "http://localhost/a"));
    }

    private static Expression number(Arguments arguments, long first, long second) {
        long number = arguments.either(first, second);
        return new Expression.Literal(number, literal(number));
    }

    private static Expression text(String text) {
        return new Expression.Literal(text, literal(text));
    }

    private static Expression executor(Class<?> raw) {
        boolean isScheduled = raw == java.util.concurrent.ScheduledExecutorService.class;
        if (isScheduled || raw == java.util.concurrent.ExecutorService.class
                || raw == java.util.concurrent.Executor.class) {
            String name = isScheduled ? "newSingleThreadScheduledExecutor" : "newCachedThreadPool";
            Method method = method(java.util.concurrent.Executors.class, name);
            return new Expression.Call(method, null, Collections.emptyList());
        }
        return null;
    }

    private static List<Expression> one(Expression expression) {
        return Collections.singletonList(expression);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static Constructor<?> constructor(Class<?> type, Class<?>... parameters) {
        try {
            return type.getConstructor(parameters);
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static java.lang.reflect.Field field(Class<?> type, String name) {
        try {
            return type.getField(name);
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** Returns a constant as Java code. */
    static String literal(Object value) {
        if (value instanceof String) {
            String text = (String) value;
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
        if (value instanceof Character) {
            return "'" + value + "'";
        }
        if (value instanceof Long) {
            return value + "L";
        }
        if (value instanceof Float) {
            return value + "f";
        }
        if (value instanceof Byte || value instanceof Short) {
            return "(" + (value instanceof Byte ? "byte" : "short") + ") " + value;
        }
        return String.valueOf(value);
    }
}
