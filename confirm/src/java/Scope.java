package asercheck.confirm;

import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The classes and variables of one run of a client. */
final class Scope {
    private final ClassLoader loader;
    private final Map<String, Object> variables = new HashMap<>();
    /** The object of a test. A client has at most one. */
    private Object[] tested;

    Scope(ClassLoader loader) {
        this.loader = loader;
    }

    /**
     * Runs a test up to a moment, once. Returns the object, then the arguments of the call that the test makes then.
     */
    Object[] ofTest(TestMoment moment) throws Exception {
        if (tested == null) {
            tested = TestRun.upTo(moment, loader);
        }
        return tested;
    }

    Object variable(String name) {
        return variables.get(name);
    }

    void set(String name, Object value) {
        variables.put(name, value);
    }

    /** Returns the class of this run for a class of the planner. */
    Class<?> type(Class<?> planned) throws ClassNotFoundException {
        if (planned.isArray()) {
            return Array.newInstance(type(planned.getComponentType()), 0).getClass();
        }
        if (planned.isPrimitive() || planned.getClassLoader() == null) {
            return planned;
        }
        return Class.forName(planned.getName(), true, loader);
    }

    /** Returns the method or constructor of this run. */
    Executable find(Executable planned) throws ReflectiveOperationException {
        Class<?> type = type(planned.getDeclaringClass());
        Class<?>[] parameters = planned.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = type(parameters[i]);
        }
        Executable found = planned instanceof java.lang.reflect.Constructor
                ? type.getDeclaredConstructor(parameters)
                : type.getDeclaredMethod(planned.getName(), parameters);
        if (!ValuePrinter.isOfJava(type)) {
            // The class may not be public, or the method is accessible in its package only.
            found.setAccessible(true);
        }
        return found;
    }

    Object[] values(List<Expression> expressions) throws Throwable {
        Object[] values = new Object[expressions.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = expressions.get(i).value(this);
        }
        return values;
    }
}
