package asercheck.confirm;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Plans the observers of a client: calls of methods of its object, which show the state at the end. A method with one
 * parameter is also asked for the values that the calls of both threads passed, as the state may differ only there.
 */
final class Observers {
    private static final int MAX_OBSERVERS = 24;
    /** The number of values of the calls for which one method is asked. */
    private static final int MAX_VALUES = 3;

    private final Client client;
    /** The object; null for static methods. */
    private final Expression object;
    private final Caller caller;
    private final List<Expression.Literal> passed = new ArrayList<>();

    /** Makes a call of a method with new arguments. */
    interface Caller {
        Expression call(Method method) throws CreationException;
    }

    Observers(Client client, Expression object, Caller caller) {
        this.client = client;
        this.object = object;
        this.caller = caller;
        client.sides.forEach(calls -> calls.forEach(this::addPassed));
    }

    private void addPassed(Expression call) {
        List<Expression> arguments = call instanceof Expression.Call ? ((Expression.Call) call).arguments
                : call instanceof Expression.New ? ((Expression.New) call).arguments : List.of();
        for (Expression argument : arguments) {
            if (argument instanceof Expression.Literal) {
                passed.add((Expression.Literal) argument);
            }
        }
    }

    /** Adds observers of some methods. Those that may change the object come last. */
    void add(List<Method> all) {
        List<Method> changing = new ArrayList<>();
        for (Method method : all) {
            if (method.getReturnType() == void.class || MethodNames.mayBlock(method)) {
                continue;
            }
            if (MethodNames.isMutator(method)) {
                changing.add(method);
            } else if (method.getParameterCount() <= 1) {
                add(method);
            }
        }
        changing.stream().filter(method -> method.getParameterCount() == 0).forEach(this::add);
    }

    private void add(Method method) {
        if (method.getParameterCount() == 1) {
            Class<?> type = MethodType.methodType(method.getParameterTypes()[0]).wrap().returnType();
            passed.stream().filter(value -> type.isInstance(value.constant())).limit(MAX_VALUES)
                    .forEach(value -> addNew(new Expression.Call(method, object, Arrays.asList(value))));
        }
        addUsual(method);
    }

    /** Adds a method with new arguments, unless it needs variables. */
    private void addUsual(Method method) {
        int known = client.before.size();
        try {
            Expression observer = caller.call(method);
            if (client.before.size() == known) {
                addNew(observer);
                return;
            }
        } catch (CreationException skipped) {
            // There is no such observer.
            known = Math.min(known, client.before.size());
        }
        client.before.subList(known, client.before.size()).clear();
    }

    private void addNew(Expression observer) {
        boolean isKnown = client.observers.stream().anyMatch(one -> one.text().equals(observer.text()));
        if (!isKnown && client.observers.size() < MAX_OBSERVERS) {
            client.observers.add(observer);
        }
    }
}
