package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A client as it was planned: variables and calls, the calls of both threads, what is asked afterwards. */
final class Client {
    /** The variables in their order; a call without a variable has none. */
    final List<Statement> before = new ArrayList<>();
    /** The calls of both sides; side 1 has the unit. */
    final List<List<Expression>> sides = new ArrayList<>();
    final List<Expression> questions = new ArrayList<>();
    /** Classes that are to be initialized before everything, as breakpoints are in them. */
    final List<String> loaded = new ArrayList<>();

    Client() {
        sides.add(new ArrayList<>());
        sides.add(new ArrayList<>());
    }

    /** A step before the threads begin. */
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

    /** All variables. */
    List<Expression.Variable> variables() {
        List<Expression.Variable> all = new ArrayList<>();
        before.stream().filter(step -> step.variable != null).forEach(step -> all.add(step.variable));
        return all;
    }

    /** Leaves out the calls before that throw. */
    void leaveOutThrowing(ClassLoader loader) throws Throwable {
        Scope scope = new Scope(loader);
        for (Statement step : new ArrayList<>(before)) {
            try {
                Object value = step.expression.value(scope);
                if (step.variable != null) {
                    scope.set(step.variable.name, value);
                }
            } catch (Throwable thrown) {
                if (step.variable != null) {
                    throw thrown;
                }
                before.remove(step);
            }
        }
    }

    /** This client at work, with classes that are loaded by this loader. */
    Work work(ClassLoader loader) {
        return new Planned(loader);
    }

    private final class Planned implements Work {
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

        /** Initializes a class; those that are made as the program runs are not there yet. */
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
        public void number(Show show) {
            variables().forEach(variable -> show.number(scope.variable(variable.name)));
        }

        @Override
        public void observe(Show show, Map<String, String> outcome) {
            for (Expression.Variable variable : variables()) {
                Questioned.variable(show, outcome, variable.name, scope.variable(variable.name));
            }
            for (Expression question : questions) {
                Questioned.ask(show, outcome, question.text(), () -> value(question));
            }
        }

        private Object value(Expression question) throws Exception {
            try {
                return question.value(scope);
            } catch (Exception | Error thrown) {
                throw thrown;
            } catch (Throwable thrown) {
                throw new IllegalStateException(thrown);
            }
        }
    }
}
