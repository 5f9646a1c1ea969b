package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plans a client for a unit and an interfering method: an object, up to three calls that prepare it, the call of the
 * unit, one or two interfering calls, and the observers. Equal seeds give equal clients.
 */
final class Planner {
    private static final int MAX_OBSERVERS = 24;
    /** The end of the name of a unit whose argument is the object. */
    private static final Pattern ARGUMENT = Pattern.compile(" \\[argument(?: (\\d+))?\\]$");
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
        arguments = new Arguments(types, client, random, seed, hints);
    }

    /** Excludes methods by their names, except for the unit and the interfering methods. */
    void avoid(List<String> names) {
        avoided.addAll(names);
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
        if (!isStatic) {
            object = arguments.variable(object(), subject);
        }
        Unit first = new Unit(unit);
        Unit second = new Unit(by.get(seed % by.size()));
        Prepared one = first.prepared();
        Prepared two = second.prepared();
        addPreparation();
        client.sides.get(0).add(one.call());
        client.sides.get(1).add(two.call());
        if (seed % 3 == 2) {
            addMutator(client.sides.get(1));
        }
        addObservers();
        return client;
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
                Expression.Variable other = arguments.variable(made == subject ? object() : arguments.object(made, 1), made);
                return () -> new Expression.Call(called, other, given(called, isArgument));
            }
            if (method.getDeclaringClass().isAssignableFrom(subject)) {
                return () -> new Expression.Call(called, object, arguments.of(called, null, false, 1));
            }
            Expression.Variable part = part(method);
            Expression.Variable receiver = part == null ? beside(method.getDeclaringClass()) : part;
            return () -> call(called, receiver);
        }

        /**
         * Returns the arguments of a method. If the object is wanted, it is the parameter that the name of the unit says;
         * a method that takes no such object gets others.
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

        /** Returns an object of a class that has nothing to do with the subject: one that the client has, or a new one. */
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
            Executable[] all = name.equals("<init>") ? declaring.getDeclaredConstructors() : declaring.getDeclaredMethods();
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

        /**
         * Returns an object that belongs to the subject: returned by one of its methods, or created with it as an
         * argument.
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
            for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
                List<Class<?>> parameters = Arrays.asList(constructor.getParameterTypes());
                if (Arguments.isAccessible(constructor) && parameters.contains(subject)) {
                    List<Expression> given = arguments.of(constructor, object, true, 1);
                    return arguments.variable(new Expression.New(constructor, given), owner);
                }
            }
            return null;
        }

        /** Returns the methods among some from which calls lead to this one. */
        private List<Method> callers(List<Method> all) {
            List<Method> found = new ArrayList<>();
            for (CallGraph.Member caller : types.facts.callGraph().callersOf(new CallGraph.Member(type, name + descriptor))) {
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

    private Expression callOnObject(Method method) throws CreationException {
        return new Expression.Call(method, object, arguments.of(method, null, false, 1));
    }

    /** Returns the only abstract method of a functional interface; null for other types. */
    private static Method functionOf(Class<?> type) {
        Method found = null;
        if (!type.isInterface() || Iterable.class.isAssignableFrom(type) || java.util.Map.class.isAssignableFrom(type)) {
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
                boolean isFit = Modifier.isPublic(method.getModifiers()) && !method.isBridge() && !method.isSynthetic();
                if (isFit && !avoided.contains(method.getName()) && Modifier.isStatic(method.getModifiers()) == isStatic && !seen.contains(key)) {
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
        List<Method> preferred = new ArrayList<>();
        mutators.stream().filter(MethodNames::adds).forEach(preferred::add);
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

    private void addMutator(List<Expression> calls) {
        List<Method> mutators = mutators(callable(subject));
        if (!mutators.isEmpty()) {
            try {
                calls.add(callOnObject(mutators.get(random.nextInt(mutators.size()))));
            } catch (CreationException skipped) {
                // One interfering call suffices.
                return;
            }
        }
    }

    /** Adds the observers of the object. Those that may change it come last. */
    private void addObservers() {
        List<Method> all = new ArrayList<>(callable(subject));
        List<Method> reading = new ArrayList<>();
        List<Method> changing = new ArrayList<>();
        for (Method method : all) {
            if (method.getReturnType() != void.class && !MethodNames.mayBlock(method)) {
                (MethodNames.isMutator(method) ? changing : reading).add(method);
            }
        }
        for (Method method : reading) {
            addObserver(method, method.getParameterCount() <= 1);
        }
        for (Method method : changing) {
            addObserver(method, method.getParameterCount() == 0);
        }
    }

    /** Adds a method as an observer, unless it needs variables. */
    private void addObserver(Method method, boolean isWanted) {
        if (!isWanted || client.observers.size() >= MAX_OBSERVERS) {
            return;
        }
        int known = client.before.size();
        try {
            Expression observer = callOnObject(method);
            if (client.before.size() == known) {
                client.observers.add(observer);
                return;
            }
        } catch (CreationException skipped) {
            // There is no such observer.
            known = Math.min(known, client.before.size());
        }
        client.before.subList(known, client.before.size()).clear();
    }
}
