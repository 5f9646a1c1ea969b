package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A test of JUnit 3, 4 or 5: a method of a class, and the number of its arguments if it has parameters. It runs here as
 * JUnit would run it: the methods before all tests and before each test, those of classes above and around first.
 */
final class TestCase {
    final String type;
    private final String method;
    /** The number of the arguments, from 0. */
    private final int number;
    private Set<String> tops;

    TestCase(String type, String method, int number) {
        this.type = type;
        this.method = method;
        this.number = number;
    }

    /** There are fewer arguments than the number of the test. */
    static final class NoArguments extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** Returns the text from which {@link #parse} makes the test. */
    String id() {
        return type + "#" + method + (number == 0 ? "" : "#" + number);
    }

    static TestCase parse(String id) {
        String[] parts = id.split("#");
        return new TestCase(parts[0], parts[1], parts.length > 2 ? Integer.parseInt(parts[2]) : 0);
    }

    /** Returns the test for people. */
    @Override
    public String toString() {
        String name = type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + "." + method + "()";
        return name + (number == 0 ? "" : " [" + (number + 1) + "]");
    }

    /** Whether a class has code of the test; both are of the same loader. */
    boolean isOfTest(Class<?> type) {
        Set<String> known = tops;
        return known != null && known.contains(TestCode.top(type.getName()));
    }

    /** Returns the names of the top-level classes with the code of a test class. */
    static Set<String> tops(Class<?> type) {
        Set<String> all = new HashSet<>();
        for (Class<?> above = type; above != null && above.getClassLoader() != null
                && !TestCode.isOfFramework(above.getName()); above = above.getSuperclass()) {
            all.add(TestCode.top(above.getName()));
        }
        return all;
    }

    static Set<String> tops(String type, Types types) {
        try {
            return tops(types.load(type));
        } catch (CreationException missing) {
            return Set.of();
        }
    }

    /** Runs the test; a whole run ends with the methods after the test. */
    void execute(ClassLoader loader, boolean isWhole) throws Throwable {
        Class<?> test = Class.forName(type, true, loader);
        tops = tops(test);
        List<Class<?>> nest = nest(test);
        List<Object> instances = new ArrayList<>();
        try {
            prepare(test, nest, instances);
            Object instance = instances.get(instances.size() - 1);
            Method called = method(test);
            JUnit.invoke(called, instance, TestArguments.of(called, number));
        } finally {
            if (isWhole) {
                end(nest, instances);
            }
        }
    }

    private void prepare(Class<?> test, List<Class<?>> nest, List<Object> instances) throws Throwable {
        Object[] given = TestArguments.ofClass(test, number);
        for (Class<?> one : nest) {
            JUnit.rules(one, null);
            JUnit.all(one, null, JUnit.BEFORE_ALL, true);
        }
        for (Class<?> one : nest) {
            Object outer = instances.isEmpty() ? null : instances.get(instances.size() - 1);
            Object instance = instance(one, outer, given);
            instances.add(instance);
            JUnit.all(one, instance, JUnit.BEFORE_ALL, false);
        }
        for (int i = 0; i < nest.size(); i++) {
            JUnit.rules(nest.get(i), instances.get(i));
            JUnit.all(nest.get(i), instances.get(i), JUnit.BEFORE, false);
        }
    }

    private static void end(List<Class<?>> nest, List<Object> instances) {
        for (int i = nest.size() - 1; i >= 0; i--) {
            if (i < instances.size()) {
                JUnit.allQuietly(nest.get(i), instances.get(i), JUnit.AFTER);
                JUnit.allQuietly(nest.get(i), instances.get(i), JUnit.AFTER_ALL);
            }
        }
        nest.forEach(one -> JUnit.allQuietly(one, null, JUnit.AFTER_ALL));
    }

    /** Returns a nested test class with those around it, the outermost first. */
    private static List<Class<?>> nest(Class<?> test) {
        List<Class<?>> nest = new ArrayList<>();
        Class<?> one = test;
        while (one != null) {
            nest.add(0, one);
            one = Modifier.isStatic(one.getModifiers()) ? null : one.getDeclaringClass();
        }
        return nest;
    }

    private Object instance(Class<?> type, Object outer, Object[] given) throws Throwable {
        Constructor<?> constructor = JUnit.constructor(type);
        constructor.setAccessible(true);
        int count = constructor.getParameterCount();
        boolean isNamed = count == 1 && constructor.getParameterTypes()[0] == String.class && given == null;
        Object[] passed = outer != null ? new Object[] {outer} : isNamed ? new Object[] {method}
                : count == 0 ? new Object[0] : given;
        Object made;
        try {
            made = constructor.newInstance(passed);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        if (count == 0 && given != null) {
            TestArguments.setFields(made, given);
        }
        TestArguments.setFolders(made);
        return made;
    }

    private Method method(Class<?> test) throws NoSuchMethodException {
        for (Method one : JUnit.tests(test)) {
            if (one.getName().equals(method)) {
                return one;
            }
        }
        throw new NoSuchMethodException(method);
    }
}
