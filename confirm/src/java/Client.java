package asercheck.confirm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The plan of a client: variables and calls of the preparation, the calls of both threads, and the observers. */
final class Client {
    /** The preparation: assignments to variables, and calls. */
    final List<Statement> before = new ArrayList<>();
    /** The calls of both sides. The first side has the unit. */
    final List<List<Expression>> sides = new ArrayList<>();
    /** Calls whose results are observed at the end. */
    final List<Expression> observers = new ArrayList<>();
    /** The keys of maps that the code looks up. */
    final Set<String> keys = new LinkedHashSet<>();
    /** Classes that are initialized first, so that no side initializes them. */
    final List<String> loaded = new ArrayList<>();

    /** The calls of the preparation that were removed because they threw exceptions. */
    final List<Expression> removed = new ArrayList<>();

    /** The statement of the preparation that is executed. */
    private volatile Statement running;
    /** The method that the second thread calls instead of the interfering one; empty if it calls that. */
    String by = "";
    /** The way in which the objects are made. */
    Way way = Way.MAKERS;

    /** The ways to make objects. A client that needs several has the last one. */
    enum Way {
        MAKERS, VALUES, CALLERS, STUBS, TESTS, FACTORY
    }

    Client() {
        sides.add(new ArrayList<>());
        sides.add(new ArrayList<>());
    }

    /** A statement of the preparation. The variable is null for a call. */
    static final class Statement {
        final Expression.Variable variable;
        final Expression expression;

        Statement(Expression.Variable variable, Expression expression) {
            this.variable = variable;
            this.expression = expression;
        }

        String text() {
            String type = variable == null ? "" : variable.type.getSimpleName() + " " + variable.name + " = ";
            return type + expression.text() + ";";
        }

        String source() {
            String type = variable == null ? "" : variable.name + " = (" + Names.of(variable.type) + ") ";
            return type + expression.source() + ";";
        }
    }

    /** Returns the moment of a test whose object the client has; null if there is none. */
    TestMoment moment() {
        for (Statement step : before) {
            if (step.expression instanceof TestObject) {
                return ((TestObject) step.expression).moment;
            }
        }
        return null;
    }

    /** Returns the expressions of the variables, by their names. */
    Map<String, Expression> values() {
        Map<String, Expression> values = new HashMap<>();
        before.stream().filter(step -> step.variable != null)
                .forEach(step -> values.put(step.variable.name, step.expression));
        return values;
    }

    /** Returns the variables in their order. */
    List<Expression.Variable> variables() {
        List<Expression.Variable> all = new ArrayList<>();
        before.stream().filter(step -> step.variable != null).forEach(step -> all.add(step.variable));
        return all;
    }

    /**
     * Executes the preparation, and removes the calls that throw exceptions. Returns the statement whose variable
     * cannot get a value, with its exception; null if all can.
     */
    Failure removeThrowing(ClassLoader loader) {
        Scope scope = new Scope(loader);
        for (Statement step : new ArrayList<>(before)) {
            running = step;
            try {
                Object value = step.expression.value(scope);
                if (step.variable != null) {
                    scope.set(step.variable.name, value);
                }
            } catch (Throwable thrown) {
                if (step.variable != null) {
                    return new Failure(step, thrown);
                }
                before.remove(step);
                removed.add(step.expression);
            }
        }
        return null;
    }

    /** Removes the statement whose execution did not end, if it is a call. Returns whether it is. */
    boolean removeRunning() {
        Statement step = running;
        return step != null && step.variable == null && before.remove(step);
    }

    /** A statement that throws an exception. */
    static final class Failure {
        final Statement step;
        final Throwable thrown;

        Failure(Statement step, Throwable thrown) {
            this.step = step;
            this.thrown = thrown;
        }
    }

    /** Returns this client with the classes of a loader. */
    RunnableClient runnable(ClassLoader loader) {
        return new Planned(loader);
    }

    private final class Planned implements RunnableClient {
        private final Scope scope;
        private final ClassLoader loader;
        private final Expression.Ready[][] ready = new Expression.Ready[2][];

        Planned(ClassLoader loader) {
            this.loader = loader;
            scope = new Scope(loader);
        }

        @Override
        public void prepare() throws Throwable {
            for (String name : loaded) {
                initialize(name);
            }
            for (Statement step : before) {
                Object value = step.expression.value(scope);
                if (step.variable != null) {
                    scope.set(step.variable.name, value);
                }
            }
            for (int side = 0; side < 2; side++) {
                List<Expression> calls = sides.get(side);
                ready[side] = new Expression.Ready[calls.size()];
                for (int number = 0; number < calls.size(); number++) {
                    ready[side][number] = calls.get(number).ready(scope);
                }
            }
        }

        /** Initializes a class. A class that the program generates at run time does not exist yet. */
        private void initialize(String name) {
            try {
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException | LinkageError missing) {
                return;
            }
        }

        @Override
        public int calls(int side) {
            return sides.get(side - 1).size();
        }

        @Override
        public Object call(int side, int number) throws Throwable {
            return ready[side - 1][number].run();
        }

        @Override
        public void number(ValuePrinter printer) {
            variables().forEach(variable -> printer.number(scope.variable(variable.name)));
        }

        @Override
        public void observe(ValuePrinter printer, Map<String, String> outcome) {
            for (Expression.Variable variable : variables()) {
                Observations.variable(printer, outcome, variable.name, scope.variable(variable.name));
            }
            for (Expression observer : observers) {
                Observations.call(printer, outcome, observer.text(), () -> value(observer));
            }
        }

        private Object value(Expression observer) throws Exception {
            try {
                return observer.value(scope);
            } catch (Exception | Error thrown) {
                throw thrown;
            } catch (Throwable thrown) {
                throw new IllegalStateException(thrown);
            }
        }
    }
}
