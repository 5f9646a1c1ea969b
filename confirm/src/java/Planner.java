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

/**
 * Makes a client for a unit and what interferes with it: an object, up to three calls before, the call of the unit, one
 * or two interfering calls, and what is asked afterwards. Equal seeds give equal clients.
 */
final class Planner {
    private static final int QUESTIONS = 24;
    /** By how many calls the object is prepared in the clients of the first seeds. */
    private static final int[] CALLS_BEFORE = {1, 0, 2, 3, 1, 2, 0, 3};

    private final Types types;
    private final Class<?> subject;
    private final boolean isStatic;
    private final int seed;
    private final Random random;
    private final Client client = new Client();
    private final Arguments arguments;
    private final List<String> avoided = new ArrayList<>();
    private Expression.Variable object;

    Planner(Types types, String subject, boolean isStatic, int seed) throws CannotMake {
        this.types = types;
        this.subject = types.load(subject);
        this.isStatic = isStatic;
        this.seed = seed;
        random = new Random(subject.hashCode() * 31L + seed);
        arguments = new Arguments(types, client, random, seed < 3);
    }

    /** Does not call methods of these names, but for those that are asked about. */
    void avoid(List<String> names) {
        avoided.addAll(names);
    }

    /** The client for a unit, and one of the methods that interfere. */
    Client plan(String unit, List<String> by) throws CannotMake {
        arguments.know(types.strings(subject));
        if (!isStatic) {
            object = arguments.variable(object(), subject);
        }
        Unit first = new Unit(unit);
        Unit second = new Unit(by.get(seed % by.size()));
        Prepared one = first.prepared();
        Prepared two = second.prepared();
        before();
        client.sides.get(0).add(one.call());
        client.sides.get(1).add(two.call());
        if (seed % 3 == 2) {
            addMutator(client.sides.get(1));
        }
        questions();
        return client;
    }

    private Expression object() throws CannotMake {
        if (Show.isOfJava(subject) && !Modifier.isPublic(subject.getModifiers())) {
            return hiddenObject();
        }
        return arguments.object(subject, 0);
    }

    /** An object of a class of the library that only a factory of its outer class makes, which is named like it. */
    private Expression hiddenObject() throws CannotMake {
        Class<?> outer = subject.getDeclaringClass();
        for (Method method : outer == null ? new Method[0] : outer.getMethods()) {
            boolean isNamedSo = method.getName().equalsIgnoreCase(subject.getSimpleName());
            if (isNamedSo && Modifier.isStatic(method.getModifiers())) {
                return new Expression.Call(method, null, arguments.of(method, null, false, 1));
            }
        }
        throw new CannotMake("class " + subject.getName() + " is not accessible");
    }

    /** A call whose arguments are made last, so that the calls before do not change them. */
    private interface Prepared {
        Expression call() throws CannotMake;
    }

    /** A method as a report names it. */
    private final class Unit {
        private final boolean isArgument;
        private final String type;
        private final String name;
        private final String descriptor;

        Unit(String text) {
            isArgument = text.endsWith(" [argument]");
            String method = text.replaceFirst(" \\[argument\\]$", "");
            int open = method.indexOf('(');
            boolean isMethod = open >= 0 || !method.contains(" ") && method.contains(".");
            int dot = isMethod ? method.lastIndexOf('.', open < 0 ? method.length() : open) : -1;
            type = dot < 0 ? "" : method.substring(0, dot);
            name = dot < 0 ? "" : method.substring(dot + 1, open < 0 ? method.length() : open);
            descriptor = open < 0 ? "" : method.substring(open);
        }

        Prepared prepared() throws CannotMake {
            Executable found = type.isEmpty() ? null : find();
            if (found == null) {
                return instead();
            }
            if (found instanceof Constructor) {
                Constructor<?> constructor = (Constructor<?>) found;
                boolean isGiven = isArgument || constructor.getDeclaringClass() != subject;
                return () -> new Expression.New(constructor, arguments.of(constructor, object, isGiven, 1));
            }
            return method((Method) found);
        }

        private Prepared method(Method method) throws CannotMake {
            boolean isOfClass = Modifier.isStatic(method.getModifiers());
            if (isOfClass) {
                return () -> new Expression.Call(method, null, arguments.of(method, object, object != null, 1));
            }
            Method called = published(method);
            if (isArgument || isStatic || object == null) {
                Class<?> owner = method.getDeclaringClass();
                Class<?> made = owner.isAssignableFrom(subject) ? subject : owner;
                Expression.Variable other = arguments.variable(made == subject ? object() : arguments.object(made, 1), made);
                return () -> new Expression.Call(called, other, arguments.of(called, object, isArgument, 1));
            }
            if (method.getDeclaringClass().isAssignableFrom(subject)) {
                return () -> new Expression.Call(called, object, arguments.of(called, null, false, 1));
            }
            Expression.Variable part = part(method);
            return part == null ? instead() : () -> call(called, part);
        }

        private Expression call(Method method, Expression receiver) throws CannotMake {
            return new Expression.Call(method, receiver, arguments.of(method, null, false, 1));
        }

        /** The method or constructor, if a client can call it. */
        private Executable find() throws CannotMake {
            Class<?> declaring = types.load(type);
            Executable[] all = name.equals("<init>") ? declaring.getDeclaredConstructors() : declaring.getDeclaredMethods();
            Arrays.sort(all, Comparator.comparing(Descriptors::of).reversed());
            for (Executable one : all) {
                boolean isNamedSo = one instanceof Constructor || one.getName().equals(name);
                boolean isMeant = descriptor.isEmpty() ? !one.isSynthetic() : Descriptors.of(one).equals(descriptor);
                if (isNamedSo && isMeant) {
                    boolean isCallable = Arguments.isAccessible(one) || isPublished(one);
                    return isCallable && !name.startsWith("lambda$") ? one : null;
                }
            }
            return null;
        }

        /** An object of a part of the subject: what a method of the subject returns, or what is made with it. */
        private Expression.Variable part(Method method) throws CannotMake {
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

        /** For a method that no client calls: one that runs it, perhaps; or the function that it is. */
        private Prepared instead() throws CannotMake {
            String[] words = name.split("\\$");
            List<Method> all = callable(subject);
            List<Method> named = new ArrayList<>();
            for (Method method : all) {
                boolean isLambda = words.length > 1 && words[0].equals("lambda");
                if (isLambda && method.getName().equals(words[1])) {
                    named.add(method);
                }
            }
            List<Method> choices = named.isEmpty() ? mutators(all) : named;
            if (choices.isEmpty()) {
                throw new CannotMake("no public method runs it");
            }
            Method chosen = choices.get((seed / 2) % choices.size());
            Method function = functionOf(chosen.getReturnType());
            if (function != null && seed % 2 == 0) {
                Expression.Variable made = arguments.variable(ofObject(chosen), chosen.getReturnType());
                return () -> call(function, made);
            }
            return () -> ofObject(chosen);
        }
    }

    private Expression ofObject(Method method) throws CannotMake {
        return new Expression.Call(method, object, arguments.of(method, null, false, 1));
    }

    /** The only method without a body of an interface for functions. */
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

    private static boolean isPublished(Executable one) {
        return one instanceof Method && Modifier.isPublic(one.getModifiers()) && published((Method) one) != one;
    }

    /** The same method as a public class or interface declares it, if its own class is hidden in the library. */
    private static Method published(Method method) {
        Class<?> type = method.getDeclaringClass();
        if (!Show.isOfJava(type) || Modifier.isPublic(type.getModifiers())) {
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

    /** The methods of a class that a client can call on an object, in a fixed order. */
    private List<Method> callable(Class<?> type) {
        List<Method> all = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                String key = method.getName() + Descriptors.of(method);
                boolean isFit = Modifier.isPublic(method.getModifiers()) && !method.isBridge() && !method.isSynthetic();
                if (isFit && !avoided.contains(method.getName()) && Modifier.isStatic(method.getModifiers()) == isStatic && !seen.contains(key)) {
                    seen.add(key);
                    all.add(published(method));
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
            if (Questions.isMutator(method) && !Questions.mayBlock(method)) {
                found.add(method);
            }
        }
        return found;
    }

    private void before() {
        List<Method> mutators = mutators(callable(subject));
        int count = seed < CALLS_BEFORE.length ? CALLS_BEFORE[seed] : random.nextInt(4);
        List<Method> preferred = new ArrayList<>();
        mutators.stream().filter(Questions::adds).forEach(preferred::add);
        for (int i = 0; i < count && !mutators.isEmpty(); i++) {
            boolean prefers = !preferred.isEmpty() && (seed < 3 || random.nextInt(4) > 0);
            List<Method> from = prefers ? preferred : mutators;
            int place = seed < 3 ? i : random.nextInt(from.size());
            try {
                client.before.add(new Client.Statement(null, ofObject(from.get(place % from.size()))));
            } catch (CannotMake skipped) {
                continue;
            }
        }
    }

    private void addMutator(List<Expression> calls) {
        List<Method> mutators = mutators(callable(subject));
        if (!mutators.isEmpty()) {
            try {
                calls.add(ofObject(mutators.get(random.nextInt(mutators.size()))));
            } catch (CannotMake skipped) {
                // Then one call has to do.
                return;
            }
        }
    }

    /** Questions about the object; those that may change something come last. */
    private void questions() {
        List<Method> all = new ArrayList<>(callable(subject));
        List<Method> asking = new ArrayList<>();
        List<Method> changing = new ArrayList<>();
        for (Method method : all) {
            if (method.getReturnType() != void.class && !Questions.mayBlock(method)) {
                (Questions.isMutator(method) ? changing : asking).add(method);
            }
        }
        for (Method method : asking) {
            ask(method, method.getParameterCount() <= 1);
        }
        for (Method method : changing) {
            ask(method, method.getParameterCount() == 0);
        }
    }

    private void ask(Method method, boolean isWanted) {
        if (!isWanted || client.questions.size() >= QUESTIONS) {
            return;
        }
        int known = client.before.size();
        try {
            Expression question = ofObject(method);
            if (client.before.size() == known) {
                client.questions.add(question);
                return;
            }
        } catch (CannotMake skipped) {
            // It is not asked.
            known = Math.min(known, client.before.size());
        }
        client.before.subList(known, client.before.size()).clear();
    }
}
