package recorder;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** Arguments made at random. */
final class Arguments {
    private final Random random;
    private final List<Class<?>> given;
    /** The objects that were made, which may be given again. */
    final List<Object> known = new ArrayList<>();

    Arguments(Random random, List<Class<?>> given) {
        this.random = random;
        this.given = given;
    }

    Object[] all(Class<?>[] types, int depth) {
        Object[] made = new Object[types.length];
        for (int place = 0; place < types.length; place++) {
            made[place] = one(types[place], depth);
        }
        return made;
    }

    private Object one(Class<?> type, int depth) {
        int small = random.nextInt(4);
        if (type.isPrimitive()) {
            return primitive(type, small);
        } else if (type.isArray()) {
            return array(type, depth);
        } else if (type == String.class || type == CharSequence.class || type == Comparable.class) {
            return List.of("a", "b", "key", "").get(small);
        } else if (type == Object.class) {
            return small == 0 ? "a" : small == 1 ? (Object) 1 : known(Object.class, depth);
        } else if (type == Integer.class || type == Number.class) {
            return small;
        } else if (type == Long.class) {
            return (long) small;
        } else if (type == Boolean.class) {
            return small < 2;
        } else if (SubjectLoader.isSubject(type)) {
            return known(type, depth);
        }
        return library(type, depth);
    }

    private static Object primitive(Class<?> type, int small) {
        if (type == boolean.class) {
            return small < 2;
        } else if (type == long.class) {
            return (long) small;
        } else if (type == double.class) {
            return (double) small;
        } else if (type == float.class) {
            return (float) small;
        } else if (type == char.class) {
            return (char) ('a' + small);
        } else if (type == byte.class) {
            return (byte) small;
        }
        return type == short.class ? (Object) (short) small : (Object) small;
    }

    private Object array(Class<?> type, int depth) {
        Object array = Array.newInstance(type.getComponentType(), 3);
        for (int index = 0; index < 3; index++) {
            Array.set(array, index, one(type.getComponentType(), depth - 1));
        }
        return array;
    }

    /** An object of a given type: one that was made before, or a new one. */
    private Object known(Class<?> type, int depth) {
        List<Object> fitting = known.stream().filter(type::isInstance).toList();
        boolean makes = fitting.isEmpty() || type != Object.class && random.nextInt(4) == 0;
        if (makes && depth > 0) {
            for (Class<?> of : given) {
                if (type != Object.class && type.isAssignableFrom(of)) {
                    Object made = made(of, depth - 1);
                    if (made != null) {
                        return made;
                    }
                }
            }
        }
        if (fitting.isEmpty()) {
            return type.isInterface() ? function(type, depth) : null;
        }
        return fitting.get(random.nextInt(fitting.size()));
    }

    /** A new object of a given class; null if there is none. */
    Object made(Class<?> of, int depth) {
        if (Modifier.isAbstract(of.getModifiers())) {
            return null;
        }
        if (of.isEnum()) {
            return of.getEnumConstants()[random.nextInt(of.getEnumConstants().length)];
        }
        List<Constructor<?>> constructors = new ArrayList<>();
        for (Constructor<?> constructor : of.getDeclaredConstructors()) {
            if (!Modifier.isPrivate(constructor.getModifiers()) && !constructor.isSynthetic()) {
                constructors.add(constructor);
            }
        }
        if (constructors.isEmpty()) {
            return null;
        }
        try {
            Constructor<?> constructor = constructors.get(random.nextInt(constructors.size()));
            constructor.setAccessible(true);
            Object object = constructor.newInstance(all(constructor.getParameterTypes(), depth));
            known.add(object);
            return object;
        } catch (ReflectiveOperationException | RuntimeException | Error problem) {
            return null;
        }
    }

    private Object library(Class<?> type, int depth) {
        List<Object> fresh = new ArrayList<>(List.of(new ArrayList<>(List.of("a", "b")), new HashMap<>(java.util.Map.of("a", "b")),
            new HashSet<>(List.of("a")), new ArrayDeque<>(List.of("a")), new TreeMap<>(), new StringBuilder("a"), new ReentrantLock()));
        for (Object one : fresh) {
            if (type.isInstance(one)) {
                return one;
            }
        }
        if (type.isInterface()) {
            return function(type, depth);
        }
        try {
            return Modifier.isAbstract(type.getModifiers()) ? null : type.getConstructor().newInstance();
        } catch (ReflectiveOperationException | RuntimeException problem) {
            return null;
        }
    }

    /** A function that gives what comes at random. */
    private Object function(Class<?> type, int depth) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> 1;
            case "equals" -> arguments[0] == proxy;
            case "toString" -> "function";
            default -> method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : result(method.getReturnType(), depth);
        };
        ClassLoader loader = type.getClassLoader() == null ? Arguments.class.getClassLoader() : type.getClassLoader();
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler);
    }

    private Object result(Class<?> type, int depth) {
        return type == void.class ? null : type == Object.class ? "b" : one(type, depth - 1);
    }
}
