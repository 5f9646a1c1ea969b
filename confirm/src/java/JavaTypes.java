package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
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
    private static final Class<?>[] COLLECTIONS = {ArrayList.class, LinkedHashSet.class, ArrayDeque.class, TreeSet.class};
    private static final Class<?>[] MAPS = {LinkedHashMap.class, TreeMap.class,
        java.util.concurrent.ConcurrentHashMap.class};

    /** Returns an object of a type; null for all other types. */
    Expression make(Arguments arguments, Type generic, Class<?> raw, int depth) throws CreationException {
        if (!raw.getName().startsWith("java.") || raw == Iterable.class && depth > 3) {
            return null;
        }
        for (Class<?> type : COLLECTIONS) {
            if (raw.isAssignableFrom(type) && (raw.isInterface() || raw == type || raw.getName().contains("Abstract"))
                    && Iterable.class.isAssignableFrom(raw)) {
                return collection(arguments, type, Arguments.argument(generic, 0, String.class), depth);
            }
        }
        for (Class<?> type : MAPS) {
            if (raw.isAssignableFrom(type) && java.util.Map.class.isAssignableFrom(raw)) {
                return map(arguments, type, generic, depth);
            }
        }
        return other(arguments, generic, raw, depth);
    }

    private Expression collection(Arguments arguments, Class<?> type, Class<?> element, int depth) throws CreationException {
        Class<?> component = element.isPrimitive() ? Object.class : element;
        List<Expression> elements = new ArrayList<>();
        elements.add(arguments.of(component, component, depth + 1));
        elements.add(arguments.of(component, component, depth + 1));
        Expression array = new Expression.ArrayOf(Object.class, elements);
        Expression list = new Expression.Call(method(Arrays.class, "asList", Object[].class), null, one(array));
        return new Expression.New(constructor(type, java.util.Collection.class), one(list));
    }

    private Expression map(Arguments arguments, Class<?> type, Type generic, int depth) throws CreationException {
        Class<?> key = Arguments.argument(generic, 0, String.class);
        Class<?> value = Arguments.argument(generic, 1, String.class);
        List<Expression> entry = new ArrayList<>();
        entry.add(arguments.of(key, key, depth + 1));
        entry.add(arguments.of(value, value, depth + 1));
        Expression map = new Expression.Call(
                method(Collections.class, "singletonMap", Object.class, Object.class), null, entry);
        return new Expression.New(constructor(type, java.util.Map.class), one(map));
    }

    private Expression other(Arguments arguments, Type generic, Class<?> raw, int depth) throws CreationException {
        if (raw == java.util.Iterator.class || raw == java.util.ListIterator.class) {
            Expression list = collection(arguments, ArrayList.class, Arguments.argument(generic, 0, String.class), depth);
            return new Expression.Call(method(List.class, "listIterator"), list, Collections.emptyList());
        }
        if (raw == java.util.Enumeration.class) {
            Expression list = collection(arguments, ArrayList.class, Arguments.argument(generic, 0, String.class), depth);
            return new Expression.Call(method(Collections.class, "enumeration", java.util.Collection.class), null, one(list));
        }
        if (raw == java.io.InputStream.class || raw == java.io.ByteArrayInputStream.class) {
            Expression bytes = arguments.of(byte[].class, byte[].class, depth + 1);
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
        return executor(raw);
    }

    private static Expression executor(Class<?> raw) {
        boolean isScheduled = raw == java.util.concurrent.ScheduledExecutorService.class;
        if (isScheduled || raw == java.util.concurrent.ExecutorService.class) {
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

    /** Estimates the difficulty of the arguments of a constructor or factory of a type. */
    static int difficulty(Executable one, Class<?> type) {
        int sum = 0;
        for (Class<?> parameter : one.getParameterTypes()) {
            if (parameter == type || type.isAssignableFrom(parameter) && parameter != Object.class) {
                sum += 50;
            } else if (parameter.isPrimitive() || parameter == String.class || parameter.isEnum()) {
                sum += 1;
            } else {
                sum += ValuePrinter.isOfJava(parameter) || parameter.isArray() ? 3 : 5;
            }
        }
        return sum;
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
