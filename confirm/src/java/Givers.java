package asercheck.confirm;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The public methods of objects that return an object of another class, as {@code scheduler.launch(task)}: for classes
 * whose objects only another object makes.
 */
final class Givers {
    private static final int MAX_GIVERS = 4;
    /** The methods that an object may want to be called before others. */
    private static final List<String> STARTING = Arrays.asList("start", "open", "init", "initialize", "connect");

    private final Types types;
    private Map<Class<?>, List<Method>> all;

    Givers(Types types) {
        this.types = types;
    }

    /** Returns the methods that return a class of the class path; those with the fewest parameters come first. */
    List<Method> of(Class<?> type) {
        if (ValuePrinter.isOfJava(type)) {
            return Collections.emptyList();
        }
        if (all == null) {
            all = new HashMap<>();
            types.names().forEach(this::addAll);
            Comparator<Method> order = Comparator.comparingInt(Method::getParameterCount);
            all.values().forEach(found -> found.sort(order.thenComparing(Method::toString)));
        }
        List<Method> found = all.getOrDefault(type, Collections.emptyList());
        return found.subList(0, Math.min(MAX_GIVERS, found.size()));
    }

    private void addAll(String name) {
        try {
            Class<?> type = types.load(name);
            for (Method method : Modifier.isPublic(type.getModifiers()) ? type.getDeclaredMethods() : new Method[0]) {
                Class<?> result = method.getReturnType();
                boolean isPublic = (method.getModifiers() & (Modifier.PUBLIC | Modifier.STATIC)) == Modifier.PUBLIC;
                if (isPublic && !result.isPrimitive() && result != type && !ValuePrinter.isOfJava(result)
                        && !method.isSynthetic() && !MethodNames.mayBlock(method)) {
                    all.computeIfAbsent(result, any -> new ArrayList<>()).add(method);
                }
            }
        } catch (CreationException | LinkageError missing) {
            // A class that is not complete gives nothing.
            return;
        }
    }

    /** Returns the methods without parameters that may have to be called before an object gives others. */
    static List<Method> starting(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (String name : STARTING) {
            try {
                Method method = type.getMethod(name);
                if (method.getReturnType() == void.class && !Modifier.isStatic(method.getModifiers())) {
                    found.add(method);
                }
            } catch (NoSuchMethodException | LinkageError none) {
                continue;
            }
        }
        return found;
    }
}
