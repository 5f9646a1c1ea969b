package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The costs of objects: a search over types for the cheapest way to make one. The cost of a call is one, and the sum
 * of the costs of its arguments; that of a type is the cost of its cheapest maker. A type whose makers need more than
 * {@link #MAX_DEPTH} steps, or the type itself, has the cost {@link #IMPOSSIBLE}.
 */
final class Costs {
    static final int IMPOSSIBLE = 1000;
    static final int MAX_DEPTH = 5;
    private static final int STUB = 6;
    /** The cost of an object that another one gives, besides that of the call. */
    static final int GIVEN = 3;

    private final Types types;
    private final Factories factories;
    /** The methods that give objects of other classes. */
    final Givers givers;
    private final List<Map<Class<?>, Integer>> known = new ArrayList<>();

    Costs(Types types, Factories factories) {
        this.types = types;
        this.factories = factories;
        givers = new Givers(types);
        for (int depth = 0; depth <= MAX_DEPTH; depth++) {
            known.add(new HashMap<>());
        }
    }

    /** Returns the cost of an object of a type with at most some nested calls. */
    int of(Class<?> type, int depth) {
        if (isPlain(type)) {
            return 1;
        }
        if (type.isArray()) {
            return Math.min(IMPOSSIBLE, 1 + of(type.getComponentType(), depth));
        }
        if (depth < 0) {
            return IMPOSSIBLE;
        }
        Integer cost = known.get(depth).get(type);
        if (cost == null) {
            // Within the search the type itself is no way to make it.
            known.get(depth).put(type, IMPOSSIBLE);
            cost = cheapest(type, depth);
            known.get(depth).put(type, cost);
        }
        return cost;
    }

    private int cheapest(Class<?> type, int depth) {
        if (!factories.of(type).isEmpty()) {
            return 0;
        }
        if (JavaTypes.isKnown(type)) {
            return 2;
        }
        int cost = IMPOSSIBLE;
        for (Executable maker : makers(type)) {
            cost = Math.min(cost, of(maker, depth));
        }
        try {
            int stub = type.isInterface() ? STUB : AbstractStub.isPossible(type) ? 2 * STUB : IMPOSSIBLE;
            for (Class<?> builder : builders(type)) {
                cost = Math.min(cost, 3 + of(builder, depth - 1));
            }
            cost = constant(type) != null ? Math.min(cost, 4) : Math.min(cost, stub);
            return cost < IMPOSSIBLE ? cost : given(type, depth);
        } catch (LinkageError missing) {
            return cost;
        }
    }

    private int given(Class<?> type, int depth) {
        int cost = IMPOSSIBLE;
        for (Method giver : givers.of(type)) {
            cost = Math.min(cost, ofGiver(giver, depth));
        }
        return cost;
    }

    /** Returns the cost of a call of a method on a new object, with new arguments. */
    int ofGiver(Method giver, int depth) {
        return Math.min(IMPOSSIBLE, GIVEN + of(giver.getDeclaringClass(), depth - 1) + of(giver, depth));
    }

    private List<Executable> makers(Class<?> type) {
        List<Executable> all = new ArrayList<>();
        try {
            if (!Modifier.isAbstract(type.getModifiers())) {
                all.addAll(constructors(type));
            }
            all.addAll(factories(type, type));
            if (type.getDeclaringClass() != null) {
                all.addAll(factories(type, type.getDeclaringClass()));
            }
            for (Class<?> one : types.implementations(type)) {
                all.addAll(constructors(one));
            }
        } catch (LinkageError missing) {
            // A signature has a class that is not there.
            return all;
        }
        return all;
    }

    /** Returns the cost of a call of a constructor or method with new arguments. */
    int of(Executable maker, int depth) {
        int sum = 1;
        for (Class<?> parameter : maker.getParameterTypes()) {
            sum += of(parameter, depth - 1);
        }
        return Math.min(sum, IMPOSSIBLE);
    }

    private static boolean isPlain(Class<?> type) {
        return type.isPrimitive() || type.isEnum() || type == String.class || type == Object.class
                || type == Class.class
                || type == CharSequence.class || Number.class.isAssignableFrom(type) && ValuePrinter.isOfJava(type)
                || type == Boolean.class || type == Character.class || type == Comparable.class;
    }

    /** Returns the classes that may build a type: within it, beside it, or returned by its static methods. */
    List<Class<?>> builders(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        if (ValuePrinter.isOfJava(type)) {
            return new ArrayList<>();
        }
        for (Class<?> inner : type.getDeclaredClasses()) {
            if (inner.getSimpleName().contains("Builder")) {
                all.add(inner);
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            boolean isNamedSo = method.getReturnType().getSimpleName().contains("Builder");
            if (Modifier.isStatic(method.getModifiers()) && isNamedSo) {
                all.add(method.getReturnType());
            }
        }
        for (String suffix : new String[] {"Builder", "Factory"}) {
            try {
                all.add(types.load(type.getName() + suffix));
            } catch (CreationException none) {
                continue;
            }
        }
        all.removeIf(one -> one == type || ValuePrinter.isOfJava(one));
        List<Class<?>> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(Class::getName));
        return sorted;
    }

    /** Returns a public constant of a type in the type itself; null if there is none. */
    static java.lang.reflect.Field constant(Class<?> type) {
        try {
            for (java.lang.reflect.Field field : type.getDeclaredFields()) {
                int flags = field.getModifiers();
                if (Modifier.isStatic(flags) && Modifier.isPublic(flags) && Modifier.isFinal(flags)
                        && type.isAssignableFrom(field.getType())) {
                    return field;
                }
            }
        } catch (LinkageError missing) {
            return null;
        }
        return null;
    }

    /** Returns the accessible constructors. */
    List<Constructor<?>> constructors(Class<?> type) {
        List<Constructor<?>> all = new ArrayList<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (Arguments.isAccessible(constructor) && !constructor.isSynthetic()) {
                all.add(constructor);
            }
        }
        return all;
    }

    /** Returns the accessible static methods of a class that return a type. */
    List<Method> factories(Class<?> type, Class<?> where) {
        List<Method> all = new ArrayList<>();
        for (Method method : where.getDeclaredMethods()) {
            boolean fits = Modifier.isStatic(method.getModifiers()) && type.isAssignableFrom(method.getReturnType());
            if (fits && Arguments.isAccessible(method) && !method.isSynthetic()) {
                all.add(method);
            }
        }
        return all;
    }
}
