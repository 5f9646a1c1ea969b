package asercheck.confirm;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The ways to make an object: factories of the user, constructors, factories, builders, constants, implementations of
 * the class path, stubs, methods of other objects. The cheapest comes first, and of ways with the same cost the first
 * of this list.
 */
final class Makers {
    private static final int MAX_IMPLEMENTATIONS = 6;
    private static final int MAX_SETTERS = 24;
    /** The cost of a maker that is not public, besides that of the call. */
    private static final int HIDDEN = 20;

    private final Arguments arguments;
    private final ClientTypes types;

    Makers(Arguments arguments, ClientTypes types) {
        this.arguments = arguments;
        this.types = types;
    }

    /** A way to make an object. */
    private interface Maker {
        Expression make(int depth) throws CreationException;
    }

    private static final class Costly {
        final int cost;
        final Maker maker;

        Costly(int cost, Maker maker) {
            this.cost = cost;
            this.maker = maker;
        }
    }

    /** Returns an object of a class, by the first way that succeeds, after some others. */
    Expression object(Class<?> type, int depth, int others) throws CreationException {
        if (depth > Costs.MAX_DEPTH) {
            throw new CreationException("an object of " + type.getName() + " needs too many others");
        }
        List<Costly> all = new ArrayList<>();
        try {
            addAll(type, all, depth);
        } catch (LinkageError missing) {
            throw new CreationException(needs(type, missing));
        }
        if (all.isEmpty()) {
            boolean isAbstract = Modifier.isAbstract(type.getModifiers());
            String kind = isAbstract ? "it is abstract" : "no constructor that a client can call";
            throw new CreationException("an object of " + type.getName() + " cannot be made: " + kind);
        }
        all.sort(Comparator.comparingInt(one -> one.cost));
        boolean isFree = others == 0 && all.size() > 1 && all.get(0).cost > 0;
        int first = isFree ? arguments.choice(all.size()) : others % all.size();
        if (all.get(first).cost >= Costs.IMPOSSIBLE) {
            first = 0;
        }
        Collections.rotate(all, -first);
        CreationException why = null;
        for (Costly one : all) {
            try {
                return one.maker.make(depth + 1);
            } catch (CreationException reason) {
                why = why == null ? reason : why;
            } catch (LinkageError missing) {
                why = why == null ? new CreationException(needs(type, missing)) : why;
            }
        }
        throw why;
    }

    /** Returns the reason why a class cannot be used. */
    static String needs(Class<?> type, LinkageError missing) {
        return type.getName() + " needs " + String.valueOf(missing.getMessage()).replace('/', '.')
                + ", which is not in the class path";
    }

    private void addAll(Class<?> type, List<Costly> all, int depth) {
        types.factories.of(type).forEach(one -> all.add(new Costly(0, call(one))));
        if (!all.isEmpty()) {
            return;
        }
        if (Costs.constant(type) != null) {
            int cost = type.isEnum() ? 0 : 4;
            all.add(new Costly(cost, any -> new Expression.Constant(Costs.constant(type))));
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            add(types.costs.constructors(type), all, depth);
        }
        add(types.costs.factories(type, type), all, depth);
        if (type.getDeclaringClass() != null) {
            add(types.costs.factories(type, type.getDeclaringClass()), all, depth);
        }
        builders(type, all, depth);
        List<Class<?>> below = type == Object.class ? Collections.emptyList() : types.types.implementations(type);
        int count = 0;
        for (Class<?> one : below) {
            int cost = types.costs.of(one, Costs.MAX_DEPTH - depth);
            if (cost < Costs.IMPOSSIBLE && count < MAX_IMPLEMENTATIONS && !arguments.isAvoided(one)) {
                count++;
                all.add(new Costly(cost + 2, inner -> object(one, inner, 0)));
            }
        }
        if (type.isInterface()) {
            int cost = arguments.prefersStubs && depth > 0 ? 1 : 6;
            all.add(new Costly(cost, any -> new Expression.Function(type, arguments.hints.answers())));
        } else if (AbstractStub.isPossible(type)) {
            all.add(new Costly(12, inner -> subclass(type, inner)));
        }
        if (all.isEmpty()) {
            givers(type, all, depth);
        }
    }

    /** Adds the methods of other objects that return a class. */
    private void givers(Class<?> type, List<Costly> all, int depth) {
        for (Method giver : types.costs.givers.of(type)) {
            int cost = types.costs.ofGiver(giver, Costs.MAX_DEPTH - depth);
            if (cost < Costs.IMPOSSIBLE && !arguments.hints.isBlocked(giver)) {
                all.add(new Costly(cost, inner -> given(giver, inner)));
            }
        }
    }

    private Expression given(Method giver, int depth) throws CreationException {
        Class<?> owner = giver.getDeclaringClass();
        Expression.Variable receiver = arguments.variable(object(owner, depth, 0), owner);
        for (Method method : Givers.starting(owner)) {
            arguments.call(new Expression.Call(method, receiver, Collections.emptyList()));
        }
        return new Expression.Given(giver, receiver, arguments.of(giver, null, false, depth));
    }

    private <E extends Executable> void add(List<E> makers, List<Costly> all, int depth) {
        for (E one : makers) {
            if (!arguments.hints.isBlocked(one)) {
                int hidden = Modifier.isPublic(one.getModifiers()) ? 0 : HIDDEN;
                int cost = types.costs.of(one, Costs.MAX_DEPTH - depth) + hidden;
                if (cost < Costs.IMPOSSIBLE) {
                    all.add(new Costly(cost, call(one)));
                }
            }
        }
    }

    private Maker call(Executable one) {
        if (one instanceof Constructor) {
            return depth -> new Expression.New((Constructor<?>) one, arguments.of(one, null, false, depth));
        }
        return depth -> new Expression.Call((Method) one, null, arguments.of(one, null, false, depth));
    }

    private Expression subclass(Class<?> type, int depth) throws CreationException {
        for (Constructor<?> constructor : types.subclasses.constructors(type)) {
            if (!arguments.hints.isBlocked(constructor)) {
                List<Expression> given = arguments.of(constructor, null, false, depth);
                return new AbstractStub.Made(new Expression.New(constructor, given), type);
            }
        }
        throw new CreationException("an object of " + type.getName() + " cannot be made: it is abstract");
    }

    /** Adds the builders of a type: classes with a method that returns it and is named so. */
    private void builders(Class<?> type, List<Costly> all, int depth) {
        for (Class<?> builder : types.costs.builders(type)) {
            for (Method build : builder.getMethods()) {
                boolean isBuild = build.getParameterCount() == 0 && type.isAssignableFrom(build.getReturnType())
                        && build.getName().matches("(build|create|make|get|newInstance|to).*") && !build.isBridge();
                int cost = types.costs.of(builder, Costs.MAX_DEPTH - depth - 1) + 3;
                if (isBuild && !Modifier.isStatic(build.getModifiers()) && cost < Costs.IMPOSSIBLE
                        && !arguments.hints.isBlocked(build)) {
                    all.add(new Costly(cost, inner -> {
                        Expression.Variable made = arguments.variable(object(builder, inner, 0), builder);
                        return new Expression.Call(build, made, Collections.emptyList());
                    }));
                }
            }
        }
    }

    /** Sets the properties of a new object if hints want that. */
    void addSetters(Expression.Variable variable, Expression value) {
        Class<?> type = value instanceof Expression.New ? ((Expression.New) value).constructor.getDeclaringClass()
                : variable.type;
        if (!arguments.hints.has(Hints.setters(type))) {
            return;
        }
        for (Method setter : setters(type)) {
            try {
                List<Expression> given = arguments.of(setter, null, false, Costs.MAX_DEPTH - 1);
                arguments.call(new Expression.Call(setter, variable, given));
            } catch (CreationException skipped) {
                continue;
            }
        }
    }

    /** Returns the methods that set properties of an object: setters, and methods of builders that return them. */
    static List<Method> setters(Class<?> type) {
        List<Method> all = new ArrayList<>();
        try {
            for (Method method : type.getMethods()) {
                boolean isSetter = method.getName().startsWith("set") && method.getReturnType() == void.class;
                boolean isOfBuilder = method.getReturnType() == type;
                if (method.getParameterCount() == 1 && (isSetter || isOfBuilder) && !method.isBridge()
                        && !Modifier.isStatic(method.getModifiers())) {
                    all.add(method);
                }
            }
        } catch (LinkageError missing) {
            all.clear();
        }
        all.sort(Comparator.comparing(Method::getName).thenComparing(Object::toString));
        return all.subList(0, Math.min(MAX_SETTERS, all.size()));
    }
}
