package asercheck.confirm;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Prints values as texts. Values have the same text if a client cannot rely on a difference: elements of unordered sets
 * and maps are sorted, and an object without a {@code toString} of its own is printed as a number, in the order of
 * occurrence.
 */
final class ValuePrinter {
    private static final int MAX_DEPTH = 4;
    private static final int MAX_ELEMENTS = 64;

    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private final Map<Object, List<String>> names = new IdentityHashMap<>();
    private final List<Object> named = new ArrayList<>();
    private final Map<Long, List<String>> equal = new LinkedHashMap<>();

    /** Adds a name of an object. Names of one object are a part of the outcome, see {@link #identical}. */
    void remember(String name, Object value) {
        if (value == null || isValue(value)) {
            return;
        }
        if (!names.containsKey(value)) {
            named.add(value);
        }
        names.computeIfAbsent(value, any -> new ArrayList<>()).add(name);
    }

    /** Returns the groups of names that belong to one object each. */
    String identical() {
        List<List<String>> all = new ArrayList<>();
        named.forEach(value -> all.add(names.get(value)));
        return groups(all);
    }

    private static String groups(Iterable<List<String>> all) {
        List<String> groups = new ArrayList<>();
        for (List<String> members : all) {
            if (members.size() > 1) {
                groups.add(String.join(" == ", members));
            }
        }
        return groups.toString();
    }

    /** Adds the name of a result. The outcome has the groups of those that are equal, see {@link #equalNumbers}. */
    void rememberNumber(String name, Object value) {
        if (value instanceof Integer || value instanceof Long) {
            equal.computeIfAbsent(((Number) value).longValue(), any -> new ArrayList<>()).add(name);
        }
    }

    /**
     * Returns the groups of results that are equal numbers. Hash codes differ from run to run, but two of one object
     * are equal in each.
     */
    String equalNumbers() {
        return groups(equal.values());
    }

    private static boolean isValue(Object value) {
        boolean isPlain = value instanceof CharSequence || value instanceof Number || value instanceof Boolean;
        return isPlain && isOfJava(value.getClass())
                && !(value instanceof StringBuffer || value instanceof StringBuilder)
                || value instanceof Character || value instanceof Enum || value instanceof Class;
    }

    /** Returns the text of an exception that a call threw. */
    String threw(Throwable thrown) {
        String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable inner) {
            message = null;
        }
        String name = thrown.getClass().getName();
        return "threw " + name + (message == null ? "" : ": " + masked(message));
    }

    String of(Object value) {
        return of(value, MAX_DEPTH);
    }

    private String of(Object value, int depth) {
        try {
            return text(value, depth);
        } catch (StackOverflowError | Exception thrown) {
            return threw(thrown);
        }
    }

    private String text(Object value, int depth) {
        if (value == null) {
            return "null";
        }
        if (value instanceof CharSequence && isOfJava(value.getClass())) {
            return '"' + masked(value.toString()) + '"';
        }
        if (value instanceof Enum) {
            return ((Enum<?>) value).name();
        }
        if (value instanceof Number && isOfJava(value.getClass()) || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Character) {
            return "'" + value + "'";
        }
        if (value instanceof Class) {
            return masked(((Class<?>) value).getName());
        }
        if (value instanceof Throwable) {
            return threw((Throwable) value).substring("threw ".length());
        }
        if (Proxy.isProxyClass(value.getClass())) {
            return "function " + number(value);
        }
        if (depth == 0) {
            return "...";
        }
        return structure(value, depth - 1);
    }

    private String structure(Object value, int depth) {
        if (value.getClass().isArray()) {
            return array(value, depth);
        }
        if (value instanceof Map) {
            return map((Map<?, ?>) value, depth);
        }
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return of(entry.getKey(), depth) + "=" + of(entry.getValue(), depth);
        }
        if (value instanceof Iterable && !(value instanceof java.nio.file.Path)) {
            boolean isUnordered = value instanceof Set
                    && !(value instanceof SortedSet || value instanceof LinkedHashSet);
            return elements(((Iterable<?>) value).iterator(), isUnordered, depth);
        }
        if (value instanceof Iterator) {
            return "iterator " + elements((Iterator<?>) value, false, depth);
        }
        if (value instanceof Enumeration) {
            return "iterator " + elements(((Enumeration<?>) value).asIterator(), false, depth);
        }
        return object(value, depth);
    }

    private String array(Object value, int depth) {
        List<String> texts = new ArrayList<>();
        int length = Array.getLength(value);
        for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
            texts.add(of(Array.get(value, i), depth));
        }
        return texts + (length > MAX_ELEMENTS ? " and more" : "");
    }

    private String map(Map<?, ?> map, int depth) {
        List<String> texts = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (texts.size() == MAX_ELEMENTS) {
                break;
            }
            texts.add(of(entry.getKey(), depth) + "=" + of(entry.getValue(), depth));
        }
        if (!(map instanceof SortedMap || map instanceof LinkedHashMap)) {
            Collections.sort(texts);
        }
        return "{" + String.join(", ", texts) + "}";
    }

    private String elements(Iterator<?> iterator, boolean isUnordered, int depth) {
        List<String> texts = new ArrayList<>();
        while (texts.size() < MAX_ELEMENTS && iterator.hasNext()) {
            texts.add(of(iterator.next(), depth));
        }
        if (isUnordered) {
            Collections.sort(texts);
        }
        return texts.toString();
    }

    /**
     * Prints an object that is neither a value nor a container: its number, its text, its public fields, and the
     * answers of methods without parameters.
     */
    private String object(Object value, int depth) {
        Class<?> type = value.getClass();
        String number = number(value);
        if (isOfJava(type)) {
            return hasText(type) ? masked(value.toString()) : number;
        }
        String text = hasText(type) ? " " + masked(String.valueOf(value)) : "";
        List<String> parts = depth >= 2 ? parts(value, type, depth) : Collections.emptyList();
        return number + text + (parts.isEmpty() ? "" : " " + parts);
    }

    private List<String> parts(Object value, Class<?> type, int depth) {
        List<String> parts = new ArrayList<>();
        if (!Modifier.isPublic(type.getModifiers())) {
            return parts;
        }
        Arrays.stream(type.getFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .sorted(Comparator.comparing(java.lang.reflect.Field::getName))
                .forEach(field -> {
                    try {
                        parts.add(field.getName() + "=" + of(field.get(value), depth));
                    } catch (IllegalAccessException hidden) {
                        parts.add(field.getName() + "=?");
                    }
                });
        java.lang.reflect.Method[] methods = type.getMethods();
        Arrays.sort(methods, Comparator.comparing(java.lang.reflect.Method::getName));
        for (java.lang.reflect.Method method : methods) {
            if (isObserver(method)) {
                parts.add(method.getName() + "()=" + result(value, method, depth));
            }
        }
        return parts;
    }

    private String result(Object value, java.lang.reflect.Method method, int depth) {
        try {
            return of(method.invoke(value), depth);
        } catch (ReflectiveOperationException thrown) {
            return threw(thrown.getCause() == null ? thrown : thrown.getCause());
        }
    }

    /**
     * Whether a method shows a part of the state. It may change the object, too: after each order of the calls the same
     * methods follow, so that equal states give equal answers.
     */
    private static boolean isObserver(java.lang.reflect.Method method) {
        boolean isOwn = !isOfJava(method.getDeclaringClass()) && !Modifier.isStatic(method.getModifiers());
        Class<?> result = method.getReturnType();
        boolean isValue = result.isPrimitive() && result != void.class || result == String.class;
        return isOwn && isValue && !method.isBridge() && method.getParameterCount() == 0
                && !method.getName().equals("toString") && !MethodNames.mayBlock(method);
    }

    /** Returns the class and the number of an object; numbers are in the order of occurrence. */
    String number(Object value) {
        if (value == null) {
            return "null";
        }
        Integer known = numbers.get(value);
        if (known == null) {
            known = numbers.size() + 1;
            numbers.put(value, known);
        }
        return masked(value.getClass().getSimpleName()) + "#" + known;
    }

    private static boolean hasText(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException | LinkageError none) {
            return false;
        }
    }

    static boolean isOfJava(Class<?> type) {
        return type.getClassLoader() == null || type.getName().startsWith("java.");
    }

    /** Removes numbers that differ from run to run. */
    static String masked(String text) {
        // Most texts have none, and a new machine is slow with regular expressions.
        if (text.indexOf('@') < 0 && text.indexOf('$') < 0) {
            return text;
        }
        return text.replaceAll("@[0-9a-f]{3,}", "@").replaceAll("\\$\\$Lambda[^ ,;)\\]]*", "\\$\\$Lambda");
    }
}
