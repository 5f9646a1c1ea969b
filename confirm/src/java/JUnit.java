package asercheck.confirm;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parts of JUnit 3, 4 and 5 that decide how a test runs. They are found by their names, with the classes of the
 * class path, because each run loads the classes of JUnit again with those of the test.
 */
final class JUnit {
    private static final String FOUR = "org.junit.";
    private static final String FIVE = "org.junit.jupiter.api.";
    static final List<String> BEFORE_ALL = List.of(FOUR + "BeforeClass", FIVE + "BeforeAll");
    static final List<String> BEFORE = List.of(FOUR + "Before", FIVE + "BeforeEach");
    static final List<String> AFTER = List.of(FOUR + "After", FIVE + "AfterEach");
    static final List<String> AFTER_ALL = List.of(FOUR + "AfterClass", FIVE + "AfterAll");
    static final String PARAMETERIZED = "org.junit.jupiter.params.ParameterizedTest";
    private static final List<String> TEST =
            List.of(FOUR + "Test", FIVE + "Test", FIVE + "RepeatedTest", PARAMETERIZED);
    private static final List<String> DYNAMIC = List.of(FIVE + "TestFactory", FIVE + "TestTemplate");
    private static final List<String> DISABLED = List.of(FOUR + "Ignore", FIVE + "Disabled");
    private static final List<String> RUNNERS = List.of(FOUR + "runners.JUnit4",
            FOUR + "runners.BlockJUnit4ClassRunner", FOUR + "runners.Parameterized",
            FOUR + "internal.runners.JUnit4ClassRunner", FOUR + "experimental.runners.Enclosed");
    private static final String RESOURCE = FOUR + "rules.ExternalResource";

    private JUnit() {}

    /** Returns an annotation with one of some names; null if there is none. */
    static Annotation annotation(AnnotatedElement on, List<String> names) {
        for (Annotation one : on.getAnnotations()) {
            if (names.contains(one.annotationType().getName())) {
                return one;
            }
        }
        return null;
    }

    static boolean has(AnnotatedElement on, String name) {
        return annotation(on, List.of(name)) != null;
    }

    /** Returns a value of an annotation; null if it has none of this name. */
    static Object value(Annotation of, String name) {
        try {
            Method method = of.annotationType().getDeclaredMethod(name);
            method.setAccessible(true);
            return method.invoke(of);
        } catch (ReflectiveOperationException | RuntimeException none) {
            return null;
        }
    }

    static boolean isOfThree(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals("junit.framework.TestCase")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the types whose methods an object of a class has: interfaces, then classes, those above first. */
    private static List<Class<?>> hierarchy(Class<?> type) {
        List<Class<?>> classes = new ArrayList<>();
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            classes.add(0, above);
            addInterfaces(above, interfaces);
        }
        List<Class<?>> all = new ArrayList<>(interfaces);
        Collections.reverse(all);
        all.addAll(classes);
        return all;
    }

    private static void addInterfaces(Class<?> of, Set<Class<?>> to) {
        for (Class<?> one : of.getInterfaces()) {
            if (to.add(one)) {
                addInterfaces(one, to);
            }
        }
    }

    private static List<Method> declared(Class<?> type) {
        List<Method> all = new ArrayList<>(Arrays.asList(type.getDeclaredMethods()));
        all.removeIf(Method::isSynthetic);
        // The order of reflection is not fixed.
        all.sort(Comparator.comparing(Method::getName).thenComparing(Descriptors::of));
        return all;
    }

    private static final ClassValue<List<Method>> METHODS = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            return allMethods(type);
        }
    };

    /** Returns the methods of a class and of those above, each only where it is declared last. */
    private static List<Method> methods(Class<?> type) {
        return METHODS.get(type);
    }

    private static List<Method> allMethods(Class<?> type) {
        Map<String, Method> all = new LinkedHashMap<>();
        for (Class<?> one : hierarchy(type)) {
            for (Method method : declared(one)) {
                boolean isOwn = Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers());
                all.put((isOwn ? one.getName() + " " : "") + method.getName() + Descriptors.of(method), method);
            }
        }
        return new ArrayList<>(all.values());
    }

    /** Returns the tests of a class. */
    static List<Method> tests(Class<?> type) {
        List<Method> all = new ArrayList<>();
        boolean isOfThree = isOfThree(type);
        for (Method method : methods(type)) {
            boolean isOld = isOfThree && method.getName().startsWith("test") && method.getParameterCount() == 0
                    && Modifier.isPublic(method.getModifiers()) && method.getReturnType() == void.class;
            if (!Modifier.isAbstract(method.getModifiers()) && (isOld || annotation(method, TEST) != null)) {
                all.add(method);
            }
        }
        return all;
    }

    /** Returns the reason why the tests of a class are not run; null if they are. */
    static String whyNot(Class<?> type) {
        if (annotation(type, DISABLED) != null) {
            return "disabled";
        }
        Annotation runner = annotation(type, List.of(FOUR + "runner.RunWith"));
        if (runner != null && value(runner, "value") instanceof Class) {
            String name = ((Class<?>) value(runner, "value")).getName();
            if (!RUNNERS.contains(name)) {
                return "the runner " + TestMoment.simple(name);
            }
        }
        return constructor(type) == null ? "a constructor with parameters" : null;
    }

    /** Returns the reason why a test is not run; null if it is. */
    static String whyNot(Method test) {
        if (annotation(test, DISABLED) != null) {
            return "disabled";
        }
        return TestArguments.areKnown(test) ? null : "parameters that are not known";
    }

    /** Whether a class has tests that are made at run time. */
    static boolean hasDynamic(Class<?> type) {
        return methods(type).stream().anyMatch(method -> annotation(method, DYNAMIC) != null);
    }

    /** Returns the constructor for tests; null if it has parameters that nobody knows. */
    static Constructor<?> constructor(Class<?> type) {
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        boolean hasParameters = TestArguments.source(type) != null;
        Constructor<?> found = null;
        for (Constructor<?> one : type.getDeclaredConstructors()) {
            int count = one.getParameterCount();
            boolean isNamed = isOfThree(type) && count == 1 && one.getParameterTypes()[0] == String.class;
            boolean fits = isInner ? count == 1 : count == 0 || hasParameters || isNamed;
            if (fits && !one.isSynthetic() && (found == null || one.getParameterCount() > found.getParameterCount())) {
                found = one;
            }
        }
        return found;
    }

    static Object invoke(Method method, Object on, Object[] given) throws Throwable {
        method.setAccessible(true);
        try {
            return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : on, given);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Calls the methods with an annotation: the static ones, or the others. */
    static void all(Class<?> type, Object on, List<String> names, boolean areStatic) throws Throwable {
        if (names == BEFORE && isOfThree(type)) {
            named(type, on, "setUp");
        }
        for (Method method : methods(type)) {
            if (annotation(method, names) != null && Modifier.isStatic(method.getModifiers()) == areStatic) {
                invoke(method, on, TestArguments.of(method, 0));
            }
        }
    }

    private static void named(Class<?> type, Object on, String name) throws Throwable {
        for (Method method : methods(type)) {
            if (method.getName().equals(name) && method.getParameterCount() == 0) {
                invoke(method, on, new Object[0]);
            }
        }
    }

    /** The same after a test, whose outcome does not matter. */
    static void allQuietly(Class<?> type, Object on, List<String> names) {
        try {
            if (names == AFTER && isOfThree(type)) {
                named(type, on, "tearDown");
            }
            all(type, on, names, on == null);
        } catch (Throwable ignored) {
            return;
        }
    }

    /** Prepares the resources that are rules of a class, or of an object. */
    static void rules(Class<?> type, Object on) throws Throwable {
        String name = on == null ? FOUR + "ClassRule" : FOUR + "Rule";
        for (Class<?> one : hierarchy(type)) {
            for (Field field : one.getDeclaredFields()) {
                if (has(field, name)) {
                    field.setAccessible(true);
                    prepare(field.get(on));
                }
            }
        }
        for (Method method : methods(type)) {
            if (has(method, name)) {
                prepare(invoke(method, on, new Object[0]));
            }
        }
    }

    private static void prepare(Object rule) throws Throwable {
        for (Class<?> above = rule == null ? null : rule.getClass(); above != null; above = above.getSuperclass()) {
            if (above.getName().equals(RESOURCE)) {
                named(rule.getClass(), rule, "before");
            }
        }
    }
}
