package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Creates values of given types for a client. Constants come from small pools, so two calls often get the same one.
 * Objects come from public constructors, factories, constants and implementations of the class path, up to a depth.
 */
final class Arguments {
    private static final int MAX_DEPTH = 3;

    private final Types types;
    private final Client client;
    private final Random random;
    /** Whether every choice takes the first value. */
    private final boolean isSimple;
    private final List<String> strings = new ArrayList<>(Arrays.asList("a", "b", "c", "", "1"));
    /** The numbers of this client, in the order of their frequency. */
    private final int[] numbers = {1, 2, 0, 3, -1, 5, 10, 4, 7, 100};
    private final JavaTypes table = new JavaTypes();
    /** Counts the variables; part of their names. */
    private int variables;

    Arguments(Types types, Client client, Random random, boolean isSimple) {
        this.types = types;
        this.client = client;
        this.random = random;
        this.isSimple = isSimple;
        if (!isSimple) {
            int first = random.nextInt(numbers.length);
            int other = numbers[first];
            numbers[first] = numbers[0];
            numbers[0] = other;
        }
    }

    /** Adds strings to the pool. */
    void addStrings(List<String> more) {
        strings.addAll(more);
    }

    /** Returns a number below {@code count}; in half of the cases 0. */
    int choice(int count) {
        return count <= 1 || isSimple || random.nextInt(10) < 5 ? 0 : random.nextInt(count);
    }

    /**
     * Returns the arguments of a call. If {@code given} is preferred, it is passed as the first parameter that takes
     * it.
     */
    List<Expression> of(Executable method, Expression.Variable given, boolean isPreferred, int depth)
            throws CreationException {
        List<Expression> all = new ArrayList<>();
        Class<?>[] raw = method.getParameterTypes();
        Type[] generic = method.getGenericParameterTypes();
        boolean hasPassed = false;
        for (int i = 0; i < raw.length; i++) {
            boolean fits = given != null && !hasPassed && fits(raw[i], given.type, isPreferred);
            boolean isOuter = i == 0 && method instanceof Constructor && isInner(method.getDeclaringClass());
            if (fits && (isPreferred || isOuter)) {
                hasPassed = true;
                all.add(given);
            } else {
                all.add(of(generic.length == raw.length ? generic[i] : raw[i], raw[i], depth));
            }
        }
        if (isPreferred && given != null && !hasPassed) {
            throw new CreationException("no parameter of " + method.getName() + " takes the object");
        }
        return all;
    }

    private static boolean isInner(Class<?> type) {
        return type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    }

    private static boolean fits(Class<?> parameter, Class<?> type, boolean isPreferred) {
        return parameter.isAssignableFrom(type) && (parameter != Object.class || isPreferred);
    }

    /** Returns a value of a type. A mutable object becomes a variable. */
    Expression of(Type generic, Class<?> raw, int depth) throws CreationException {
        Expression made = make(generic, raw, depth);
        return made.isPlain() || made instanceof Expression.Variable ? made : variable(made, raw);
    }

    /** Assigns a value to a new variable. */
    Expression.Variable variable(Expression value, Class<?> type) {
        String simple = type.isArray() ? "array" : type.getSimpleName();
        String name = simple.isEmpty() ? "object" : Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
        variables++;
        Expression.Variable variable = new Expression.Variable(name.replace("[]", "s") + variables, type);
        client.before.add(new Client.Statement(variable, value));
        return variable;
    }

    private Expression make(Type generic, Class<?> raw, int depth) throws CreationException {
        Expression plain = plain(raw);
        if (plain != null) {
            return plain;
        }
        if (raw.isArray()) {
            return array(raw.getComponentType(), depth);
        }
        Expression known = table.make(this, generic, raw, depth);
        if (known != null) {
            return known;
        }
        if (raw.isInterface() && isFunction(raw) && choice(3) == 0) {
            return factoryOr(raw, depth, new Expression.Function(raw));
        }
        return object(raw, depth);
    }

    private Expression factoryOr(Class<?> raw, int depth, Expression otherwise) {
        try {
            Expression made = byFactory(raw, raw.getDeclaringClass(), depth);
            return made == null ? otherwise : made;
        } catch (CreationException none) {
            return otherwise;
        }
    }

    /** Returns an immutable value; null if the type has others. */
    private Expression plain(Class<?> type) {
        if (type == String.class || type == CharSequence.class || type == Object.class || type == Comparable.class
                || type == java.io.Serializable.class) {
            return string();
        }
        if (type == Class.class) {
            return new Expression.ClassObject(String.class);
        }
        if (type.isEnum()) {
            return constant(type);
        }
        Object number = number(type, numbers[choice(numbers.length)]);
        return number == null ? null : new Expression.Literal(number, JavaTypes.literal(number));
    }

    Expression string() {
        String text = strings.get(choice(strings.size()));
        return new Expression.Literal(text, JavaTypes.literal(text));
    }

    private Expression constant(Class<?> type) {
        List<Field> constants = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (field.isEnumConstant()) {
                constants.add(field);
            }
        }
        return constants.isEmpty() ? new Expression.Literal(null, "null")
                : new Expression.Constant(constants.get(choice(constants.size())));
    }

    private Object number(Class<?> type, int value) {
        if (type == int.class || type == Integer.class || type == Number.class) {
            return value;
        }
        if (type == long.class || type == Long.class) {
            return (long) value;
        }
        if (type == boolean.class || type == Boolean.class) {
            return choice(2) == 0;
        }
        if (type == double.class || type == Double.class) {
            return (double) value;
        }
        if (type == float.class || type == Float.class) {
            return (float) value;
        }
        if (type == char.class || type == Character.class) {
            return (char) ('a' + choice(3));
        }
        if (type == byte.class || type == Byte.class) {
            return (byte) value;
        }
        return type == short.class || type == Short.class ? (Object) (short) value : null;
    }

    private Expression array(Class<?> component, int depth) throws CreationException {
        List<Expression> elements = new ArrayList<>();
        for (int i = 0; i < 2 + choice(2); i++) {
            elements.add(of(component, component, depth + 1));
        }
        return new Expression.ArrayOf(component, elements);
    }

    static boolean isFunction(Class<?> type) {
        return type.isInterface();
    }

    /** Returns an object of a class, by the first way that succeeds. */
    Expression object(Class<?> type, int depth) throws CreationException {
        if (depth > MAX_DEPTH) {
            throw new CreationException("an object of " + type.getName() + " needs too many others");
        }
        CreationException why = null;
        for (Maker maker : makers(type)) {
            try {
                Expression made = maker.make(depth + 1);
                if (made != null) {
                    return made;
                }
            } catch (CreationException reason) {
                why = why == null ? reason : why;
            }
        }
        if (why != null) {
            throw why;
        }
        String kind = type.isInterface() || Modifier.isAbstract(type.getModifiers()) ? "it is abstract" : "no constructor";
        throw new CreationException("an object of " + type.getName() + " cannot be made: " + kind);
    }

    /** A way to create an object of a type. */
    private interface Maker {
        Expression make(int depth) throws CreationException;
    }

    private List<Maker> makers(Class<?> type) {
        List<Maker> makers = new ArrayList<>();
        if (!Modifier.isAbstract(type.getModifiers()) && !type.isInterface()) {
            for (Constructor<?> constructor : constructors(type)) {
                makers.add(depth -> new Expression.New(constructor, of(constructor, null, false, depth)));
            }
        }
        makers.add(depth -> byFactory(type, type, depth));
        makers.add(depth -> byConstant(type));
        Class<?> outer = type.getDeclaringClass();
        if (outer != null) {
            makers.add(depth -> byFactory(type, outer, depth));
        }
        makers.add(depth -> byImplementation(type, depth));
        if (type.isInterface()) {
            makers.add(depth -> new Expression.Function(type));
        }
        return makers;
    }

    /** Returns the accessible constructors: public ones first, then those with the easiest arguments. */
    private List<Constructor<?>> constructors(Class<?> type) {
        List<Constructor<?>> all = new ArrayList<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isAccessible(constructor) && !constructor.isSynthetic()) {
                all.add(constructor);
            }
        }
        all.sort(Comparator.<Constructor<?>>comparingInt(one -> Modifier.isPublic(one.getModifiers()) ? 0 : 1)
                .thenComparingInt(one -> JavaTypes.difficulty(one, type)).thenComparing(Object::toString));
        if (all.size() > 1 && choice(2) == 1) {
            Collections.swap(all, 0, 1 + random.nextInt(all.size() - 1));
        }
        return all;
    }

    /** Whether a client may call a method: it is public, or accessible in the package of its class. */
    static boolean isAccessible(Executable one) {
        int flags = one.getModifiers();
        boolean isOfJava = ValuePrinter.isOfJava(one.getDeclaringClass());
        return Modifier.isPublic(flags) && (!isOfJava || Modifier.isPublic(one.getDeclaringClass().getModifiers()))
                || !isOfJava && !Modifier.isPrivate(flags) && !Modifier.isProtected(flags);
    }

    private Expression byFactory(Class<?> type, Class<?> where, int depth) throws CreationException {
        List<Method> factories = new ArrayList<>();
        if (where == null) {
            return null;
        }
        for (Method method : where.getDeclaredMethods()) {
            boolean fits = Modifier.isStatic(method.getModifiers()) && type.isAssignableFrom(method.getReturnType());
            if (fits && isAccessible(method) && !method.isSynthetic()) {
                factories.add(method);
            }
        }
        factories.sort(Comparator.<Method>comparingInt(one -> JavaTypes.difficulty(one, type))
                .thenComparing(Method::getName).thenComparing(Object::toString));
        if (factories.isEmpty()) {
            return null;
        }
        Method chosen = factories.get(choice(factories.size()));
        return new Expression.Call(chosen, null, of(chosen, null, false, depth));
    }

    private Expression byConstant(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            int flags = field.getModifiers();
            if (Modifier.isStatic(flags) && Modifier.isPublic(flags) && type.isAssignableFrom(field.getType())) {
                return new Expression.Constant(field);
            }
        }
        return null;
    }

    private Expression byImplementation(Class<?> type, int depth) throws CreationException {
        if (type == Object.class) {
            return null;
        }
        List<Class<?>> all = types.implementations(type);
        if (all.isEmpty()) {
            return null;
        }
        return object(all.get(choice(Math.min(all.size(), 6))), depth);
    }

    /** Returns a type argument of a generic type; {@code otherwise} if it has none. */
    static Class<?> argument(Type generic, int place, Class<?> otherwise) {
        if (generic instanceof ParameterizedType) {
            Type[] arguments = ((ParameterizedType) generic).getActualTypeArguments();
            if (place < arguments.length && arguments[place] instanceof Class) {
                return (Class<?>) arguments[place];
            }
        }
        return otherwise;
    }
}
