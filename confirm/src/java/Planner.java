package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plans a client for a unit and an interfering method: an object, up to three calls that prepare it, the call of the
 * unit, one or two interfering calls, and the observers. Equal seeds give equal clients.
 */
final class Planner {
    /** The end of the name of a unit whose argument is the object. */
    private static final Pattern ARGUMENT = Pattern.compile(" \\[argument(?: (\\d+))?\\]$");
    /** The kinds of clients by the calls of the second thread, which take turns; in others it makes one call. */
    private static final int SECONDS = 6;
    private static final int OTHER_AFTER = 2;
    private static final int OTHER_ALONE = 4;
    private static final int OTHER_BEFORE = 5;
    /** The kind in which some arguments are those that a caller is unlikely to pass. */
    private static final int SURPRISE = 3;
    /** Of so many clients, one is prepared without regard to the fields of the finding. */
    private static final int FIELDLESS = 3;
    /** Of so many clients, one assigns a public field of the object. */
    private static final int ASSIGNMENTS = 5;
    /** The number of preparing calls for the first seeds. */
    private static final int[] CALLS_BEFORE = {1, 0, 2, 3, 1, 2, 0, 3};

    private final ClientTypes types;
    private final Class<?> subject;
    private final boolean isStatic;
    private final int seed;
    private final Random random;
    private final Client client = new Client();
    private final Arguments arguments;
    private final List<String> avoided = new ArrayList<>();
    private FieldUses uses;
    private boolean isApproximate;
    private Expression.Variable object;
    /** The moment of a test whose object is the client's; null if the object is made. */
    private TestMoment moment;

    Planner(ClientTypes types, String subject, boolean isStatic, int seed, Hints hints) throws CreationException {
        this.types = types;
        this.subject = types.types.load(subject);
        this.isStatic = isStatic;
        this.seed = seed;
        random = new Random(subject.hashCode() * 31L + seed);
        arguments = new Arguments(types, this.subject, client, random, seed, hints);
    }

    /**
     * Excludes methods by their names, except for the unit and the interfering methods, and classes by theirs, except
     * where their own type is wanted.
     */
    void avoid(List<String> names) {
        avoided.addAll(names);
        arguments.avoid(names);
    }

    /** Sets the fields of the finding: preparing calls of methods that access them come first. */
    void prepareBy(Set<String> fields) {
        uses = new FieldUses(types.facts, fields);
    }

    /** Allows clients that call other methods that change the object, if no client can call those of the finding. */
    void approximate() {
        isApproximate = true;
    }

    /** Takes the object of a test at a moment, and arguments of its calls on the object. */
    void take(TestMoment given) {
        moment = given;
        addArguments(given, true);
        types.moments.beside(given).forEach(other -> addArguments(other, false));
    }

    /** Adds the arguments of a call; those that are objects only if the test is about to make this call. */
    private void addArguments(TestMoment of, boolean isNext) {
        if (of.role != TestMoment.Role.RECEIVER) {
            return;
        }
        Expression[] given = new Expression[of.arguments()];
        for (int i = 0; i < given.length; i++) {
            Object constant = of.constant(i);
            given[i] = constant != null || of.isNull(i) ? new Expression.Literal(constant, JavaTypes.literal(constant))
                    : isNext ? new TestObject(of, i + 1) : null;
        }
        arguments.add(of.key(), given);
    }

    /** Plans a client for a unit and one of the interfering methods. */
    Client plan(String unit, List<String> by) throws CreationException {
        arguments.add(types.facts.constants(subject));
        arguments.addTypes(valueTypes());
        if (!isStatic) {
            object = arguments.variable(object(), subject);
        }
        Prepared one = new Unit(unit).prepared();
        Prepared two = new Unit(by.get(seed % by.size())).prepared();
        addPreparation();
        if (object != null && seed % ASSIGNMENTS == ASSIGNMENTS - 1) {
            addAssignment();
        }
        boolean surprises = seed % SECONDS == SURPRISE;
        // In every second client only the interfering call surprises, but for certain.
        boolean isCertain = surprises && seed % (2 * SECONDS) == SURPRISE;
        arguments.surprise(surprises && !isCertain, false);
        client.sides.get(0).add(one.call());
        arguments.surprise(surprises, isCertain);
        addSecond(client.sides.get(1), two);
        arguments.surprise(false, false);
        new Observers(client, object, this::callOnObject).add(callable(subject));
        return client;
    }

    /**
     * Adds the calls of the second thread. Mostly it makes the interfering call; then another one may follow, or come
     * before. Some clients call another method instead, as the difference may show there only.
     */
    private void addSecond(List<Expression> calls, Prepared interfering) throws CreationException {
        int kind = seed % SECONDS;
        Method other = kind == OTHER_ALONE && !isIndirect() ? anyMethod() : null;
        if (other != null) {
            calls.add(callOnObject(other));
            client.by = other.getDeclaringClass().getName() + "." + other.getName() + Descriptors.of(other);
            return;
        }
        arguments.vary(seed % Arguments.SIMPLE_SEEDS == Arguments.SIMPLE_SEEDS - 1);
        if (kind == OTHER_BEFORE) {
            addOther(calls);
        }
        calls.add(interfering.call());
        if (kind == OTHER_AFTER) {
            addOther(calls);
        }
        arguments.vary(false);
    }

    /** Whether the methods of the finding are called through others. */
    private boolean isIndirect() {
        return isApproximate || moment != null;
    }

    /** Returns any method that a client can call; null if there is none. */
    private Method anyMethod() {
        List<Method> all = callable(subject);
        all.removeIf(method -> MethodNames.mayBlock(method) || object == null && !isStatic);
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    /** Returns the types of numbers and the like that methods of the subject take. */
    private List<Class<?>> valueTypes() {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Method method : callable(subject)) {
            for (Class<?> type : method.getParameterTypes()) {
                if (type.isPrimitive() || type.isEnum() || Number.class.isAssignableFrom(type)) {
                    all.add(type);
                }
            }
        }
        return new ArrayList<>(all);
    }

    private Expression object() throws CreationException {
        if (moment != null && object == null) {
            return new TestObject(moment, 0);
        }
        if (ValuePrinter.isOfJava(subject) && !Modifier.isPublic(subject.getModifiers())) {
            return hiddenObject();
        }
        return arguments.object(subject, 0);
    }

    /** Returns an object of a hidden library class, from a factory of its outer class with the same name. */
    private Expression hiddenObject() throws CreationException {
        Class<?> outer = subject.getDeclaringClass();
        for (Method method : outer == null ? new Method[0] : outer.getMethods()) {
            boolean isNamedSo = method.getName().equalsIgnoreCase(subject.getSimpleName());
            if (isNamedSo && Modifier.isStatic(method.getModifiers())) {
                return new Expression.Call(method, null, arguments.of(method, null, false, 1));
            }
        }
        throw new CreationException("class " + subject.getName() + " is not accessible");
    }

    /** A call whose arguments are created last, so that the preparing calls do not change them. */
    private interface Prepared {
        Expression call() throws CreationException;
    }

    /** A method, by its name in a report. */
    private final class Unit {
        private final boolean isArgument;
        /** The number of the parameter that is the object, from 1; 0 if any. */
        private final int parameter;
        private final String type;
        private final String name;
        private final String descriptor;

        Unit(String text) {
            Matcher matcher = ARGUMENT.matcher(text);
            isArgument = matcher.find();
            parameter = isArgument && matcher.group(1) != null ? Integer.parseInt(matcher.group(1)) : 0;
            String method = isArgument ? text.substring(0, matcher.start()) : text;
            int open = method.indexOf('(');
            boolean isMethod = open >= 0 || !method.contains(" ") && method.contains(".");
            int dot = isMethod ? method.lastIndexOf('.', open < 0 ? method.length() : open) : -1;
            type = dot < 0 ? "" : method.substring(0, dot);
            name = dot < 0 ? "" : method.substring(dot + 1, open < 0 ? method.length() : open);
            descriptor = open < 0 ? "" : method.substring(open);
        }

        Prepared prepared() throws CreationException {
            Executable found = type.isEmpty() ? null : find();
            if (found == null) {
                return replacement();
            }
            if (found instanceof Constructor) {
                Constructor<?> constructor = (Constructor<?>) found;
                boolean isGiven = isArgument || constructor.getDeclaringClass() != subject;
                return () -> new Expression.New(constructor, given(constructor, isGiven));
            }
            return method((Method) found);
        }

        private Prepared method(Method method) throws CreationException {
            boolean isOfClass = Modifier.isStatic(method.getModifiers());
            if (isOfClass) {
                return () -> new Expression.Call(method, null, given(method, object != null));
            }
            Method called = publicDeclaration(method);
            if (isArgument || isStatic || object == null) {
                Class<?> owner = method.getDeclaringClass();
                Class<?> made = owner.isAssignableFrom(subject) ? subject : owner;
                Expression value = made == subject ? object() : arguments.object(made, 1);
                Expression.Variable other = arguments.variable(value, made);
                return () -> new Expression.Call(called, other, given(called, isArgument));
            }
            if (method.getDeclaringClass().isAssignableFrom(subject)) {
                return () -> new Expression.Call(called, object, arguments.of(called, null, false, 1));
            }
            Expression.Variable part = part(method);
            Expression.Variable receiver = part == null ? beside(method.getDeclaringClass()) : part;
            Method ofReceiver = declaredIn(receiver.type, called);
            return () -> call(ofReceiver, receiver);
        }

        /**
         * Returns the arguments of a method. If the object is wanted, it is the parameter that the name of the unit
         * says; a method that takes no such object gets others.
         */
        private List<Expression> given(Executable method, boolean isWanted) throws CreationException {
            boolean takes = object != null && Arrays.stream(method.getParameterTypes())
                    .anyMatch(one -> one.isAssignableFrom(subject) || one.isAssignableFrom(object.type));
            if (!isWanted || !takes && !isArgument) {
                return arguments.of(method, object, false, 1);
            }
            List<Expression> all = new ArrayList<>(arguments.of(method, object, true, 1));
            int place = parameter - 1;
            if (object != null && place >= 0 && place < all.size() && all.get(place) != object
                    && method.getParameterTypes()[place].isAssignableFrom(object.type)) {
                all.set(all.indexOf(object), all.get(place));
                all.set(place, object);
            }
            return all;
        }

        /**
         * Returns an object of a class that has nothing to do with the subject: one that the client has, or a new one.
         */
        private Expression.Variable beside(Class<?> type) throws CreationException {
            for (Expression.Variable known : client.variables()) {
                if (type.isAssignableFrom(known.type)) {
                    return known;
                }
            }
            return arguments.variable(arguments.object(type, 1), type);
        }

        private Expression call(Method method, Expression receiver) throws CreationException {
            return new Expression.Call(method, receiver, arguments.of(method, null, false, 1));
        }

        /** Returns the method or constructor; null if a client cannot call it. */
        private Executable find() throws CreationException {
            Class<?> declaring = types.types.load(type);
            if (descriptor.endsWith(")")) {
                return inherited(declaring);
            }
            Executable[] all = name.equals("<init>")
                    ? declaring.getDeclaredConstructors()
                    : declaring.getDeclaredMethods();
            Arrays.sort(all, Comparator.comparing(Descriptors::of).reversed());
            for (Executable one : all) {
                boolean isNamedSo = one instanceof Constructor || one.getName().equals(name);
                boolean isMeant = descriptor.isEmpty() ? !one.isSynthetic() : Descriptors.of(one).equals(descriptor);
                if (isNamedSo && isMeant) {
                    boolean isCallable = Arguments.isAccessible(one) || isDeclaredPublicly(one);
                    return isCallable && !name.startsWith("lambda$") ? one : null;
                }
            }
            return null;
        }

        /** Returns an inherited method. Instead of a descriptor it has the simple names of its parameters' types. */
        private Method inherited(Class<?> declaring) {
            for (Method method : declaring.getMethods()) {
                List<String> names = new ArrayList<>();
                Arrays.stream(method.getParameterTypes()).forEach(type -> names.add(type.getSimpleName()));
                boolean isMeant = method.getName().equals(name) && !method.isBridge()
                        && descriptor.equals("(" + String.join(", ", names) + ")");
                if (isMeant && !Modifier.isStatic(method.getModifiers())) {
                    return method;
                }
            }
            return null;
        }

        /**
         * Returns an object that belongs to the subject: returned by one of its methods, or by a method of what that
         * returns, as an iterator of a view; or created with the subject as an argument.
         */
        private Expression.Variable part(Method method) throws CreationException {
            Class<?> owner = method.getDeclaringClass();
            for (Method giver : callable(subject)) {
                Class<?> result = giver.getReturnType();
                boolean gives = !result.isPrimitive() && result != Object.class && result.isAssignableFrom(owner);
                if (gives && !giver.getDeclaringClass().equals(Object.class)) {
                    return arguments.variable(call(giver, object), result);
                }
            }
            Expression.Variable inner = partOfPart(owner);
            if (inner != null) {
                return inner;
            }
            for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
                List<Class<?>> parameters = Arrays.asList(constructor.getParameterTypes());
                if (Arguments.isAccessible(constructor) && parameters.contains(subject)) {
                    List<Expression> given = arguments.of(constructor, object, true, 1);
                    return arguments.variable(new Expression.New(constructor, given), owner);
                }
            }
            return null;
        }

        /**
         * Returns an object that a method without parameters of a part gives, if its type is above that of a class
         * which has the wanted methods. Whether it is such an object shows when the client runs.
         */
        private Expression.Variable partOfPart(Class<?> owner) throws CreationException {
            List<Class<?>> wanted = new ArrayList<>(types.types.implementations(owner));
            wanted.add(owner);
            List<Method[]> chains = new ArrayList<>();
            for (Method giver : callable(subject)) {
                Class<?> view = giver.getReturnType();
                if (giver.getParameterCount() > 0 || !view.isInterface() || view == subject) {
                    continue;
                }
                for (Method next : view.getMethods()) {
                    Class<?> result = next.getReturnType();
                    boolean gives = next.getParameterCount() == 0 && result.isInterface() && result != view
                            && !Modifier.isStatic(next.getModifiers());
                    if (gives && wanted.stream().anyMatch(result::isAssignableFrom)) {
                        chains.add(new Method[] {giver, next});
                    }
                }
            }
            if (chains.isEmpty()) {
                return null;
            }
            chains.sort(Comparator.comparing(Arrays::toString));
            Method[] chain = chains.get(seed / 2 % chains.size());
            Expression.Variable view = arguments.variable(call(chain[0], object), chain[0].getReturnType());
            return arguments.variable(call(chain[1], view), chain[1].getReturnType());
        }

        /** Returns the methods among some from which calls lead to this one. */
        private List<Method> callers(List<Method> all) {
            List<Method> found = new ArrayList<>();
            CallGraph.Member called = new CallGraph.Member(type, name + descriptor);
            for (CallGraph.Member caller : types.facts.callGraph().callersOf(called)) {
                for (Method method : all) {
                    boolean isIt = caller.key.equals(method.getName() + Descriptors.of(method))
                            && caller.type.equals(method.getDeclaringClass().getName());
                    if (isIt) {
                        found.add(method);
                    }
                }
            }
            return found;
        }

        /** Returns a replacement for a method that no client can call: a method, or its result, that may run it. */
        private Prepared replacement() throws CreationException {
            String[] words = name.split("\\$");
            List<Method> all = callable(subject);
            List<Method> named = new ArrayList<>();
            for (Method method : all) {
                boolean isLambda = words.length > 1 && words[0].equals("lambda");
                if (isLambda && method.getName().equals(words[1])) {
                    named.add(method);
                }
            }
            if (named.isEmpty() && !type.isEmpty()) {
                named.addAll(callers(all));
            }
            List<Method> choices = named.isEmpty() && isApproximate ? mutators(all) : named;
            if (choices.isEmpty()) {
                throw new CreationException("no method that a client can call runs " + type + "." + name);
            }
            Method chosen = choices.get((seed / 2) % choices.size());
            Method function = functionOf(chosen.getReturnType());
            if (function != null && seed % 2 == 0) {
                Expression.Variable made = arguments.variable(callOnObject(chosen), chosen.getReturnType());
                return () -> call(function, made);
            }
            return () -> callOnObject(chosen);
        }
    }

    /** Returns the declaration of a method in a type above its class, if that has one. */
    private static Method declaredIn(Class<?> type, Method method) {
        if (method.getDeclaringClass().isAssignableFrom(type)) {
            return method;
        }
        try {
            return type.getMethod(method.getName(), method.getParameterTypes());
        } catch (NoSuchMethodException none) {
            return method;
        }
    }

    private Expression callOnObject(Method method) throws CreationException {
        return new Expression.Call(method, object, arguments.of(method, null, false, 1));
    }

    /** Returns the only abstract method of a functional interface; null for other types. */
    private static Method functionOf(Class<?> type) {
        Method found = null;
        boolean isContainer = Iterable.class.isAssignableFrom(type) || java.util.Map.class.isAssignableFrom(type);
        if (!type.isInterface() || isContainer) {
            return null;
        }
        for (Method method : type.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !isOfObject(method)) {
                if (found != null) {
                    return null;
                }
                found = method;
            }
        }
        return found;
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException none) {
            return false;
        }
    }

    private static boolean isDeclaredPublicly(Executable one) {
        return one instanceof Method && Modifier.isPublic(one.getModifiers()) && publicDeclaration((Method) one) != one;
    }

    /**
     * Returns the declaration of a method in a public class or interface, if its own class is hidden in the library.
     */
    private static Method publicDeclaration(Method method) {
        Class<?> type = method.getDeclaringClass();
        if (!ValuePrinter.isOfJava(type) || Modifier.isPublic(type.getModifiers())) {
            return method;
        }
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            List<Class<?>> all = new ArrayList<>(Arrays.asList(above.getInterfaces()));
            all.add(above);
            for (Class<?> one : all) {
                try {
                    if (Modifier.isPublic(one.getModifiers())) {
                        return one.getMethod(method.getName(), method.getParameterTypes());
                    }
                } catch (NoSuchMethodException none) {
                    continue;
                }
            }
        }
        return method;
    }

    /** Returns the methods that a client can call on an object, in a fixed order. */
    private List<Method> callable(Class<?> type) {
        List<Method> all = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                String key = method.getName() + Descriptors.of(method);
                int flags = method.getModifiers();
                boolean isFit = Modifier.isPublic(flags) && Modifier.isStatic(flags) == isStatic
                        && !method.isBridge() && !method.isSynthetic() && !avoided.contains(method.getName());
                if (isFit && !seen.contains(key)) {
                    seen.add(key);
                    all.add(publicDeclaration(method));
                }
            }
        }
        if (!isStatic) {
            Arrays.stream(type.getMethods()).filter(Method::isDefault).forEach(all::add);
        }
        all.sort(Comparator.comparing(Method::getName).thenComparing(Descriptors::of));
        return all;
    }

    private List<Method> mutators(List<Method> all) {
        List<Method> found = new ArrayList<>();
        for (Method method : all) {
            if (MethodNames.isMutator(method) && !MethodNames.mayBlock(method)) {
                found.add(method);
            }
        }
        return found;
    }

    /** Adds the preparing calls. */
    private void addPreparation() {
        List<Method> mutators = mutators(callable(subject));
        int made = seed < CALLS_BEFORE.length ? CALLS_BEFORE[seed] : random.nextInt(4);
        // A test has prepared its object; every third client changes it.
        int count = moment != null && made < 3 ? 0 : made;
        List<Method> preferred = preferred(mutators);
        for (int i = 0; i < count && !mutators.isEmpty(); i++) {
            boolean prefers = !preferred.isEmpty() && (seed < 3 || random.nextInt(4) > 0);
            List<Method> from = prefers ? preferred : mutators;
            int place = seed < 3 ? i : random.nextInt(from.size());
            try {
                client.before.add(new Client.Statement(null, callOnObject(from.get(place % from.size()))));
            } catch (CreationException skipped) {
                continue;
            }
        }
    }

    /**
     * Returns the methods that seem to add something to the object; in most clients only those that access the fields
     * of the finding, if there are some.
     */
    private List<Method> preferred(List<Method> mutators) {
        List<Method> adding = new ArrayList<>();
        mutators.stream().filter(MethodNames::adds).forEach(adding::add);
        List<Method> using = new ArrayList<>();
        if (seed % FIELDLESS != 1) {
            adding.stream().filter(this::usesFields).forEach(using::add);
        }
        return using.isEmpty() ? adding : using;
    }

    private boolean usesFields(Method method) {
        return uses.has(method.getDeclaringClass(), method.getName() + Descriptors.of(method));
    }

    /** Assigns a public field of the object, if it has one. */
    private void addAssignment() throws CreationException {
        List<Field> all = new ArrayList<>();
        for (Field field : subject.getFields()) {
            boolean isFixed = (field.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) != 0;
            if (!isFixed && !ValuePrinter.isOfJava(field.getDeclaringClass())) {
                all.add(field);
            }
        }
        if (!all.isEmpty()) {
            all.sort(Comparator.comparing(Field::getName));
            Field field = all.get(random.nextInt(all.size()));
            Expression value = arguments.of(field.getGenericType(), field.getType(), 1);
            client.before.add(new Client.Statement(null, new Assignment(object, field, value)));
        }
    }

    private void addOther(List<Expression> calls) {
        List<Method> mutators = mutators(callable(subject));
        Method other = mutators.isEmpty() ? anyMethod() : mutators.get(random.nextInt(mutators.size()));
        if (other != null) {
            try {
                calls.add(callOnObject(other));
            } catch (CreationException skipped) {
                // One interfering call suffices.
                return;
            }
        }
    }
}
