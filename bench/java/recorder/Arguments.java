package recorder;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** Random arguments. */
final class Arguments {
    private final Random random;
    private final List<Class<?>> given;
    /** The objects so far, which may be passed again. */
    final List<Object> known = new ArrayList<>();
    /** Objects of this class are not passed where any object is possible; none if all may be passed. */
    Class<?> apart;

    Arguments(Random random, List<Class<?>> given) {
        this.random = random;
        this.given = given;
    }

    Object[] all(Type[] types, int depth) {
        Object[] made = new Object[types.length];
        for (int place = 0; place < types.length; place++) {
            made[place] = one(types[place], depth);
        }
        return made;
    }

    /** Returns an object of a type; its elements are of the type arguments. */
    private Object one(Type of, int depth) {
        if (of instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            return one(raw, generic.getActualTypeArguments(), depth);
        } else if (of instanceof Class<?> type) {
            return one(type, new Type[0], depth);
        } else if (of instanceof WildcardType wildcard) {
            Type[] below = wildcard.getLowerBounds();
            return one(below.length > 0 ? below[0] : wildcard.getUpperBounds()[0], depth);
        } else if (of instanceof TypeVariable<?> variable) {
            return one(variable.getBounds()[0], depth);
        }
        return null;
    }

    private Object one(Class<?> type, Type[] held, int depth) {
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
        return library(type, held, depth);
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

    /** Returns an object of a program type: an earlier one or a new one. */
    private Object known(Class<?> type, int depth) {
        Class<?> not = type == Object.class ? apart : null;
        List<Object> fitting =
            known.stream().filter(type::isInstance).filter(one -> not == null || !not.isInstance(one)).toList();
        boolean makes = fitting.isEmpty() || type != Object.class && random.nextInt(4) == 0;
        if (makes && depth > 0 && type != Object.class && random.nextBoolean()) {
            Object made = handedOut(type, depth - 1);
            if (made != null) {
                return made;
            }
        }
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
            return type.isInterface() ? function(type, new Type[0], depth) : null;
        }
        return fitting.get(random.nextInt(fitting.size()));
    }

    /** Returns the result of a static method of a program class. */
    private Object handedOut(Class<?> type, int depth) {
        for (Class<?> of : given) {
            for (Method method : of.getDeclaredMethods()) {
                boolean isPublic = Modifier.isStatic(method.getModifiers()) && Modifier.isPublic(method.getModifiers());
                if (isPublic && type.isAssignableFrom(method.getReturnType())) {
                    try {
                        method.setAccessible(true);
                        return method.invoke(null, all(method.getGenericParameterTypes(), depth));
                    } catch (ReflectiveOperationException | RuntimeException problem) {
                        return null;
                    }
                }
            }
        }
        return null;
    }

    /** Returns a new object of a program class; null if there is none. */
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
            Object[] values = all(types(constructor), depth);
            Object object = Recorder.constructed(constructor, values);
            known.add(object);
            return object;
        } catch (ReflectiveOperationException | RuntimeException | Error problem) {
            return null;
        }
    }

    /** Returns the types of parameters, with type arguments if the class file has them for all. */
    private static Type[] types(Executable of) {
        Type[] types = of.getGenericParameterTypes();
        return types.length == of.getParameterCount() ? types : of.getParameterTypes();
    }

    private Object library(Class<?> type, Type[] held, int depth) {
        List<Object> fresh = List.of(new ArrayList<>(), new HashMap<>(), new HashSet<>(),
            new ArrayDeque<>(), new TreeMap<>(), new StringBuilder("a"), new ReentrantLock());
        for (Object one : fresh) {
            if (type.isInstance(one)) {
                fill(one, held, depth);
                return one;
            }
        }
        if (type.isInterface()) {
            return function(type, held, depth);
        }
        try {
            return Modifier.isAbstract(type.getModifiers()) ? null : type.getConstructor().newInstance();
        } catch (ReflectiveOperationException | RuntimeException problem) {
            return null;
        }
    }

    @SuppressWarnings("unchecked")
    private void fill(Object container, Type[] held, int depth) {
        for (int number = 0; number < 2 && depth > 0; number++) {
            Object[] made = new Object[held.length];
            for (int place = 0; place < held.length; place++) {
                made[place] = one(held[place], depth - 1);
            }
            if (container instanceof Collection && made.length == 1 && made[0] != null) {
                ((Collection<Object>) container).add(made[0]);
            } else if (container instanceof Map && made.length == 2 && made[0] != null && made[1] != null) {
                ((Map<Object, Object>) container).put(made[0], made[1]);
            }
        }
    }

    /** Returns a function with random results; results of library functions follow their last argument. */
    private Object function(Class<?> type, Type[] held, int depth) {
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> 1;
            case "equals" -> arguments[0] == proxy;
            case "toString" -> "function";
            default -> method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : result(method.getReturnType(), held, depth);
        };
        ClassLoader loader = type.getClassLoader() == null ? Arguments.class.getClassLoader() : type.getClassLoader();
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler);
    }

    private Object result(Class<?> type, Type[] held, int depth) {
        if (type == void.class) {
            return null;
        } else if (type == Object.class) {
            return held.length == 0 ? "b" : one(held[held.length - 1], depth - 1);
        }
        return one(type, depth - 1);
    }
}
