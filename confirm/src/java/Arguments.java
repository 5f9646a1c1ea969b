package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Creates values of given types for a client. Constants come from small pools, so two calls often get the same one.
 * Each value has a place, at which {@link Hints} may demand another one. {@link Makers} makes the objects.
 */
final class Arguments {
    /** The number of seeds whose every choice is the first one. */
    static final int SIMPLE_SEEDS = 3;
    /** The largest number of statements of a preparation. */
    private static final int MAX_STATEMENTS = 150;

    private final Client client;
    private final Random random;
    private final int seed;
    /** Whether every choice takes the first value. */
    private final boolean isSimple;
    /** Whether a stub is better than an implementation of the class path, which may need a server. */
    final boolean prefersStubs;
    private final List<String> strings = new ArrayList<>(Arrays.asList("a", "b", "c", "", "1"));
    /** The numbers of this client, in the order of their frequency. */
    private final List<Integer> numbers = new ArrayList<>(Arrays.asList(1, 2, 0, 3, -1, 5, 10, 4, 7, 100, 1000));
    /** The keys that the code looks up in maps. */
    private final List<String> keys = new ArrayList<>();
    private final JavaTypes table = new JavaTypes();
    private final Makers makers;
    /** The types of the type variables of inherited methods. */
    private final Generics generics;
    /** The types of values for parameters of type Object, besides strings. */
    private final List<Class<?>> values = new ArrayList<>();
    /** Arguments of the calls of a test, by the name and the parameters of the method. */
    private final Map<String, Expression[]> tested = new HashMap<>();
    private final List<String> avoided = new ArrayList<>();
    private boolean isSurprising;
    private boolean isNullCertain;
    private boolean isVarying;
    final Hints hints;
    /** The place of the value that is made. */
    private String place = "";
    /** Counts the variables; part of their names. */
    private int variables;

    Arguments(ClientTypes types, Class<?> subject, Client client, Random random, int seed, Hints hints) {
        this.client = client;
        generics = new Generics(subject);
        this.seed = seed;
        prefersStubs = seed % 2 == 1;
        this.random = random;
        isSimple = seed < SIMPLE_SEEDS;
        this.hints = hints;
        makers = new Makers(this, types);
        if (!isSimple) {
            Collections.swap(numbers, 0, random.nextInt(numbers.size()));
        }
    }

    /** Whether all numbers of the client are the same. */
    private boolean hasOneNumber() {
        return seed % 4 == 3;
    }

    /** Excludes implementations by their names. */
    void avoid(Collection<String> names) {
        avoided.addAll(names);
    }

    boolean isAvoided(Class<?> type) {
        return avoided.contains(type.getName());
    }

    /** The numbers of a simple client differ from those before, as equal ones may change nothing. */
    void vary(boolean varies) {
        isVarying = varies;
    }

    /**
     * Some arguments of the next calls are null, or for parameters of type Object, of a type that none asks for. If
     * {@code isCertain}, the only object among the arguments of a call is null.
     */
    void surprise(boolean surprises, boolean isCertain) {
        isSurprising = surprises;
        isNullCertain = isCertain;
    }

    /** Adds the types of values that methods of the subject take, which its parameters of type Object may want. */
    void addTypes(Collection<Class<?>> types) {
        values.addAll(types);
    }

    /** Adds the constants of the code to the pools. */
    void add(Constants constants) {
        strings.addAll(constants.strings);
        numbers.addAll(constants.numbers);
        keys.addAll(constants.keys);
        client.keys.addAll(constants.keys);
    }

    /** Adds the arguments of a call of a test; null stands for one that is not known. */
    void add(String key, Expression[] given) {
        tested.putIfAbsent(key, given);
    }

    /** Returns the argument that a test passes; null if it is not known. */
    private Expression ofTest(Executable method, int place, int depth) throws CreationException {
        boolean isCalled = depth <= 1 && !tested.isEmpty();
        Expression[] given = isCalled ? tested.get(method.getName() + Descriptors.parameters(method)) : null;
        Expression found = given == null ? null : given[place];
        return found instanceof TestObject ? variable(found, method.getParameterTypes()[place]) : found;
    }

    /** Returns the keys that the code looks up in maps. */
    List<String> keys() {
        return keys;
    }

    /** Whether the map at the current place gets a key: each one, unless the map has only chosen ones. */
    boolean hasKey(String key) {
        return !hints.has(Hints.chosenKeys(place)) || hints.has(Hints.entry(place, key));
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
                Type type = generics.of(generic.length == raw.length ? generic[i] : raw[i]);
                Class<?> erased = generics.raw(type, raw[i]);
                Expression special = isSurprising && depth <= 1 ? surprise(raw, i) : ofTest(method, i, depth);
                all.add(special != null ? special : at(Hints.place(method, i), () -> of(type, erased, depth)));
            }
        }
        if (isPreferred && given != null && !hasPassed) {
            throw new CreationException("no parameter of " + method.getName() + " takes the object");
        }
        return all;
    }

    /** Returns a value that a caller is unlikely to pass; null for one that it is likely to pass. */
    private Expression surprise(Class<?>[] all, int place) {
        Class<?> type = all[place];
        boolean isOnly = Arrays.stream(all).filter(one -> !one.isPrimitive()).count() == 1;
        if (isNullCertain && isOnly && !type.isPrimitive()) {
            return new Expression.Literal(null, "null");
        }
        if (type.isPrimitive() || random.nextInt(2) == 0) {
            return null;
        }
        boolean isObject = type == Object.class && random.nextInt(2) == 0;
        return isObject ? new Expression.Literal(1.5, "1.5") : new Expression.Literal(null, "null");
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

    /** Returns a value for a place within the current one. */
    Expression within(String part, Type generic, Class<?> raw, int depth) throws CreationException {
        return at(Hints.entry(place, part), () -> of(generic, raw, depth));
    }

    /** Makes a value. */
    private interface Making {
        Expression make() throws CreationException;
    }

    private Expression at(String inner, Making making) throws CreationException {
        String outer = place;
        place = inner;
        try {
            return making.make();
        } finally {
            place = outer;
        }
    }

    /** Assigns a value to a new variable. */
    Expression.Variable variable(Expression value, Class<?> type) throws CreationException {
        if (client.before.size() > MAX_STATEMENTS) {
            throw new CreationException("an object of " + type.getName() + " needs too many others");
        }
        String simple = type.isArray() ? "array" : type.getSimpleName();
        String name = simple.isEmpty() ? "object" : Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
        variables++;
        Expression.Variable variable = new Expression.Variable(name.replace("[]", "s") + variables, type);
        client.before.add(new Client.Statement(variable, value));
        makers.addSetters(variable, value);
        return variable;
    }

    /** Adds a call to the preparation. */
    void call(Expression call) {
        client.before.add(new Client.Statement(null, call));
    }

    private Expression make(Type generic, Class<?> raw, int depth) throws CreationException {
        Object wanted = hints.at(place);
        if (Hints.NULL.equals(wanted) && !raw.isPrimitive()) {
            return new Expression.Literal(null, "null");
        }
        Expression plain = plain(raw, wanted);
        if (plain != null) {
            return plain;
        }
        if (raw.isArray()) {
            return array(raw.getComponentType(), depth);
        }
        Expression known = wanted instanceof Repair.Maker ? null : table.make(this, generic, raw, depth);
        if (known != null) {
            return known;
        }
        return makers.object(raw, depth, wanted instanceof Repair.Maker ? ((Repair.Maker) wanted).number : 0);
    }

    /** Returns an immutable value; null if the type has others. */
    private Expression plain(Class<?> type, Object wanted) {
        if (type == String.class || type == CharSequence.class || type == Object.class || type == Comparable.class
                || type == java.io.Serializable.class) {
            if (type == Object.class && wanted == null && !values.isEmpty()) {
                int place = isSimple ? seed % (values.size() + 1) : random.nextInt(values.size() + 1);
                if (place > 0) {
                    return plain(values.get(place - 1), null);
                }
            }
            return wanted instanceof String ? string((String) wanted) : string();
        }
        if (type == Class.class) {
            return new Expression.ClassObject(String.class);
        }
        if (type.isEnum()) {
            return constant(type, wanted);
        }
        Integer other = wanted instanceof Integer ? (Integer) wanted : null;
        Object number = number(type, other == null ? numbers.get(anyNumber()) : other, other);
        return number == null ? null : new Expression.Literal(number, JavaTypes.literal(number));
    }

    /** Returns the place of the next number. */
    private int anyNumber() {
        if (isSimple) {
            return isVarying ? 1 : 0;
        }
        // Every fourth client has numbers that mostly differ.
        return hasOneNumber() ? (seed / 4 + 1) % numbers.size()
                : seed % 4 == 1 ? random.nextInt(numbers.size()) : choice(numbers.size());
    }

    /** Returns one of two values of a type that has no numbers; calls that vary get the second one. */
    <T> T either(T first, T second) {
        return (isSimple ? isVarying : random.nextBoolean()) ? second : first;
    }

    /** Returns the text that replaces the first argument of a call after a failure; without one, the usual text. */
    String wanted(Executable maker, String usual) {
        Object wanted = hints.at(Hints.place(maker, 0));
        return wanted instanceof String ? (String) wanted : usual;
    }

    private static Expression string(String text) {
        return new Expression.Literal(text, JavaTypes.literal(text));
    }

    Expression string() {
        return string(strings.get(choice(strings.size())));
    }

    private Expression constant(Class<?> type, Object wanted) {
        List<Field> constants = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (field.isEnumConstant()) {
                constants.add(field);
            }
        }
        if (constants.isEmpty()) {
            return new Expression.Literal(null, "null");
        }
        int place = wanted instanceof Integer
                ? Math.floorMod((Integer) wanted, constants.size())
                : choice(constants.size());
        return new Expression.Constant(constants.get(place));
    }

    private Object number(Class<?> type, int value, Integer wanted) {
        if (type == int.class || type == Integer.class || type == Number.class) {
            return value;
        }
        if (type == long.class || type == Long.class) {
            return (long) value;
        }
        if (type == boolean.class || type == Boolean.class) {
            return wanted == null ? choice(2) == 0 : wanted > 0;
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
            elements.add(within("[]", component, component, depth + 1));
        }
        return new Expression.ArrayOf(component, elements);
    }

    /** Returns an object of a class, by the first way that succeeds. */
    Expression object(Class<?> type, int depth) throws CreationException {
        return makers.object(type, depth, 0);
    }

    /** Returns a number below {@code count}, each with the same probability; for simple clients 0. */
    int anyOf(int count) {
        return count <= 1 || isSimple ? 0 : random.nextInt(count);
    }

    /** Whether a client may call a method: it is public, or accessible in the package of its class. */
    static boolean isAccessible(Executable one) {
        int flags = one.getModifiers();
        boolean isOfJava = ValuePrinter.isOfJava(one.getDeclaringClass());
        return Modifier.isPublic(flags) && (!isOfJava || Modifier.isPublic(one.getDeclaringClass().getModifiers()))
                || !isOfJava && !Modifier.isPrivate(flags) && !Modifier.isProtected(flags);
    }

    /** Returns a type argument of a generic type; {@code otherwise} if it has none. */
    Class<?> argument(Type generic, int place, Class<?> otherwise) {
        return generics.argument(generic, place, otherwise);
    }
}
