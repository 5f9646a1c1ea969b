package asercheck.confirm;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The types that a class gives to the type variables of the classes and interfaces above it. */
final class Generics {
    /** The longest chain of variables: each stands for one of a class below. */
    private static final int MAX_STEPS = 20;

    private final Map<TypeVariable<?>, Type> given = new HashMap<>();

    Generics(Class<?> type) {
        ArrayDeque<Class<?>> queue = new ArrayDeque<>();
        Set<Class<?>> seen = new HashSet<>();
        queue.add(type);
        while (!queue.isEmpty()) {
            Class<?> next = queue.remove();
            if (!seen.add(next)) {
                continue;
            }
            add(next.getGenericSuperclass(), queue);
            for (Type above : next.getGenericInterfaces()) {
                add(above, queue);
            }
        }
    }

    private void add(Type above, ArrayDeque<Class<?>> queue) {
        if (above instanceof ParameterizedType) {
            ParameterizedType type = (ParameterizedType) above;
            Class<?> raw = (Class<?>) type.getRawType();
            TypeVariable<?>[] variables = raw.getTypeParameters();
            Type[] arguments = type.getActualTypeArguments();
            for (int i = 0; i < variables.length && i < arguments.length; i++) {
                given.put(variables[i], arguments[i]);
            }
            queue.add(raw);
        } else if (above instanceof Class) {
            queue.add((Class<?>) above);
        }
    }

    /** Returns a type in whose place no variable with a known type stands; that of a wildcard is its bound. */
    Type of(Type type) {
        Type known = type;
        for (int i = 0; i < MAX_STEPS; i++) {
            if (known instanceof WildcardType) {
                Type[] lower = ((WildcardType) known).getLowerBounds();
                known = lower.length > 0 ? lower[0] : ((WildcardType) known).getUpperBounds()[0];
            } else if (given.containsKey(known)) {
                known = given.get(known);
            } else {
                return known;
            }
        }
        return type;
    }

    /** Returns the class of a type, if it is a class below a raw one; otherwise the raw one. */
    Class<?> raw(Type type, Class<?> raw) {
        Type known = of(type);
        known = known instanceof ParameterizedType ? ((ParameterizedType) known).getRawType() : known;
        return known instanceof Class && raw.isAssignableFrom((Class<?>) known) ? (Class<?>) known : raw;
    }

    /** Returns a type argument of a type; {@code otherwise} if it has none that is a class. */
    Class<?> argument(Type type, int place, Class<?> otherwise) {
        Type known = of(type);
        if (!(known instanceof ParameterizedType)) {
            return otherwise;
        }
        Type[] arguments = ((ParameterizedType) known).getActualTypeArguments();
        Type found = place < arguments.length ? of(arguments[place]) : null;
        found = found instanceof ParameterizedType ? ((ParameterizedType) found).getRawType() : found;
        return found instanceof Class ? (Class<?>) found : otherwise;
    }
}
