package asercheck.confirm;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.BaseStream;

/** The arguments of tests that have parameters, from the sources that their annotations name. */
final class TestArguments {
    /** The largest number of runs of a test with different arguments. */
    static final int MAX_RUNS = 3;
    private static final String SOURCES = "org.junit.jupiter.params.provider.";
    private static final List<String> KNOWN = List.of(SOURCES + "ValueSource", SOURCES + "EnumSource",
            SOURCES + "NullSource", SOURCES + "CsvSource", SOURCES + "MethodSource");
    private static final String FOLDER = "org.junit.jupiter.api.io.TempDir";
    private static final List<String> INFORMATION = List.of("org.junit.jupiter.api.TestInfo",
            "org.junit.jupiter.api.RepetitionInfo", "org.junit.jupiter.api.TestReporter");

    private TestArguments() {}

    private static boolean isOfJUnit(Parameter parameter) {
        return JUnit.has(parameter, FOLDER) || INFORMATION.contains(parameter.getType().getName());
    }

    /** Whether all arguments of a test are known. */
    static boolean areKnown(Method test) {
        boolean hasSource = JUnit.has(test, JUnit.PARAMETERIZED) && JUnit.annotation(test, KNOWN) != null;
        return hasSource || Arrays.stream(test.getParameters()).allMatch(TestArguments::isOfJUnit);
    }

    /** Returns the number of runs of a test at most. */
    static int runs(Class<?> type, Method test) {
        return source(type) != null || JUnit.has(test, JUnit.PARAMETERIZED) ? MAX_RUNS : 1;
    }

    /** Returns the arguments of a method: those of a number from its source, then those that JUnit makes. */
    static Object[] of(Method method, int number) throws Throwable {
        Parameter[] parameters = method.getParameters();
        Object[] given = JUnit.has(method, JUnit.PARAMETERIZED) ? given(method, number) : new Object[0];
        Object[] all = new Object[parameters.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = i < given.length ? converted(given[i], parameters[i].getType()) : ofJUnit(parameters[i], method);
        }
        return all;
    }

    private static Object ofJUnit(Parameter parameter, Method method) throws Exception {
        Class<?> type = parameter.getType();
        if (JUnit.has(parameter, FOLDER)) {
            return folder(type);
        }
        if (!INFORMATION.contains(type.getName())) {
            throw new IllegalArgumentException("no argument for " + type.getName());
        }
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, values) -> {
            Class<?> result = called.getReturnType();
            return result == Optional.class ? Optional.of(called.getName().equals("getTestClass")
                    ? method.getDeclaringClass() : method)
                    : result == String.class ? method.getName() : result == int.class ? (Object) 1
                    : result == java.util.Set.class ? Collections.emptySet() : null;
        });
    }

    private static Object folder(Class<?> type) throws IOException {
        Path path = Files.createTempDirectory("junit");
        return type == File.class ? path.toFile() : path;
    }

    /** Gives a temporary folder to each field that wants one. */
    static void setFolders(Object to) throws Exception {
        for (Class<?> above = to.getClass(); above != null; above = above.getSuperclass()) {
            for (Field field : above.getDeclaredFields()) {
                if (JUnit.has(field, FOLDER)) {
                    field.setAccessible(true);
                    field.set(to, folder(field.getType()));
                }
            }
        }
    }

    private static Object[] given(Method method, int number) throws Throwable {
        int left = number;
        for (Annotation source : method.getAnnotations()) {
            List<Object> values = values(source, method);
            if (left < values.size()) {
                return spread(values.get(left));
            }
            left -= values.size();
        }
        throw new TestCase.NoArguments();
    }

    /** Returns the arguments in an array, in an object with a method {@code get}, or alone. */
    private static Object[] spread(Object value) throws Throwable {
        if (value != null) {
            for (Class<?> one : value.getClass().getInterfaces()) {
                if (one.getName().equals(SOURCES + "Arguments")) {
                    return (Object[]) JUnit.invoke(one.getMethod("get"), value, new Object[0]);
                }
            }
        }
        return value instanceof Object[] ? (Object[]) value : new Object[] {value};
    }

    private static List<Object> values(Annotation source, Method method) throws Throwable {
        String name = source.annotationType().getName();
        List<Object> all = new ArrayList<>();
        if (name.equals(SOURCES + "NullSource")) {
            all.add(null);
        } else if (name.equals(SOURCES + "ValueSource")) {
            for (Method one : source.annotationType().getDeclaredMethods()) {
                Object array = JUnit.value(source, one.getName());
                for (int i = 0; array != null && array.getClass().isArray() && i < Array.getLength(array); i++) {
                    all.add(Array.get(array, i));
                }
            }
        } else if (name.equals(SOURCES + "EnumSource")) {
            List<Object> names = Arrays.asList((Object[]) JUnit.value(source, "names"));
            boolean isExcluding = "EXCLUDE".equals(String.valueOf(JUnit.value(source, "mode")));
            for (Object constant : method.getParameterTypes()[0].getEnumConstants()) {
                boolean isNamed = names.contains(((Enum<?>) constant).name());
                if (names.isEmpty() || isNamed != isExcluding) {
                    all.add(constant);
                }
            }
        } else if (name.equals(SOURCES + "CsvSource")) {
            for (Object line : (Object[]) JUnit.value(source, "value")) {
                all.add(Arrays.stream(((String) line).split(",", -1)).map(TestArguments::cell).toArray());
            }
        } else if (name.equals(SOURCES + "MethodSource")) {
            Object[] names = (Object[]) JUnit.value(source, "value");
            for (Object one : names.length == 0 ? new Object[] {method.getName()} : names) {
                add(factory(method, (String) one), all);
            }
        }
        return all;
    }

    private static Object cell(String text) {
        String plain = text.trim();
        boolean isQuoted = plain.length() > 1 && plain.startsWith("'") && plain.endsWith("'");
        return isQuoted ? plain.substring(1, plain.length() - 1) : plain.isEmpty() ? null : plain;
    }

    private static Object factory(Method test, String name) throws Throwable {
        int mark = name.indexOf('#');
        Class<?> type = mark < 0 ? test.getDeclaringClass()
                : Class.forName(name.substring(0, mark), true, test.getDeclaringClass().getClassLoader());
        return JUnit.invoke(type.getDeclaredMethod(name.substring(mark + 1)), null, new Object[0]);
    }

    /** Adds the first elements of a stream, a collection or an array. */
    private static void add(Object many, List<Object> to) {
        if (many != null && many.getClass().isArray()) {
            for (int i = 0; i < Math.min(MAX_RUNS, Array.getLength(many)); i++) {
                to.add(Array.get(many, i));
            }
            return;
        }
        Iterator<?> all = many instanceof BaseStream ? ((BaseStream<?, ?>) many).iterator()
                : many instanceof Iterable ? ((Iterable<?>) many).iterator() : (Iterator<?>) many;
        for (int i = 0; i < MAX_RUNS && all.hasNext(); i++) {
            to.add(all.next());
        }
    }

    /** Returns a value for a type of a parameter: numbers and constants may be texts. */
    private static Object converted(Object value, Class<?> type) {
        if (!(value instanceof String) || type.isAssignableFrom(String.class)) {
            return value;
        }
        String text = (String) value;
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants()).filter(one -> ((Enum<?>) one).name().equals(text)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(text));
        }
        if (type == int.class || type == Integer.class) {
            return Integer.decode(text);
        }
        if (type == long.class || type == Long.class) {
            return Long.decode(text);
        }
        if (type == double.class || type == Double.class) {
            return Double.valueOf(text);
        }
        return type == boolean.class || type == Boolean.class ? (Object) Boolean.valueOf(text)
                : type == char.class ? (Object) text.charAt(0) : value;
    }

    /** Returns the method with the parameters of a class of JUnit 4; null if it has none. */
    static Method source(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                if (JUnit.has(method, "org.junit.runners.Parameterized$Parameters")) {
                    return method;
                }
            }
        }
        return null;
    }

    /** Returns the parameters of a class of JUnit 4; null if it has none. */
    static Object[] ofClass(Class<?> type, int number) throws Throwable {
        Method source = source(type);
        if (source == null) {
            return null;
        }
        List<Object> all = new ArrayList<>();
        add(JUnit.invoke(source, null, new Object[0]), all);
        if (number >= all.size()) {
            throw new TestCase.NoArguments();
        }
        return spread(all.get(number));
    }

    /** Sets the fields that are parameters of a class of JUnit 4. */
    static void setFields(Object to, Object[] given) throws ReflectiveOperationException {
        for (Class<?> above = to.getClass(); above != null; above = above.getSuperclass()) {
            for (Field field : above.getDeclaredFields()) {
                Annotation wants = JUnit.annotation(field, List.of("org.junit.runners.Parameterized$Parameter"));
                if (wants != null) {
                    field.setAccessible(true);
                    field.set(to, given[(Integer) JUnit.value(wants, "value")]);
                }
            }
        }
    }
}
