package asercheck.confirm;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a client, with a value in each run, a short text for people, and a source text that compiles. It refers to
 * the classes and methods that the planner has loaded. Each run loads classes again, and {@link Scope} finds its own.
 */
abstract class Expression {
    abstract Object value(Scope scope) throws Throwable;

    /** A call whose receiver and arguments are evaluated. */
    interface Ready {
        Object run() throws Throwable;
    }

    /** Evaluates receiver and arguments, so that only the call itself remains. */
    Ready ready(Scope scope) throws Throwable {
        Object value = value(scope);
        return () -> value;
    }

    /** The text for people: names without packages, no casts. */
    abstract String text();

    /** The source text, which compiles without imports. */
    abstract String source();

    /** Whether the value is immutable, so that it needs no variable. */
    boolean isPlain() {
        return false;
    }

    @Override
    public String toString() {
        return text();
    }

    /** Throws the exception of a method that was called by reflection. */
    static Object unwrapped(InvocationTargetException thrown) throws Throwable {
        throw thrown.getCause();
    }

    /** A constant. */
    static final class Literal extends Expression {
        private final Object value;
        private final String text;

        Literal(Object value, String text) {
            this.value = value;
            this.text = text;
        }

        Object constant() {
            return value;
        }

        @Override
        Object value(Scope scope) {
            return value;
        }

        @Override
        String text() {
            return text.startsWith("(") ? text.substring(text.indexOf(')') + 2) : text;
        }

        @Override
        String source() {
            return text;
        }

        @Override
        boolean isPlain() {
            return true;
        }
    }

    /** A class as an object. */
    static final class ClassObject extends Expression {
        private final Class<?> type;

        ClassObject(Class<?> type) {
            this.type = type;
        }

        @Override
        Object value(Scope scope) throws Throwable {
            return scope.type(type);
        }

        @Override
        String text() {
            return type.getSimpleName() + ".class";
        }

        @Override
        String source() {
            return Names.of(type) + ".class";
        }

        @Override
        boolean isPlain() {
            return true;
        }
    }

    /** A static final field: a constant of an enum, a singleton. */
    static final class Constant extends Expression {
        private final Field field;

        Constant(Field field) {
            this.field = field;
        }

        @Override
        Object value(Scope scope) throws Throwable {
            Field own = scope.type(field.getDeclaringClass()).getDeclaredField(field.getName());
            own.setAccessible(true);
            return own.get(null);
        }

        @Override
        String text() {
            return field.getDeclaringClass().getSimpleName() + "." + field.getName();
        }

        @Override
        String source() {
            return Names.of(field.getDeclaringClass()) + "." + field.getName();
        }

        @Override
        boolean isPlain() {
            return true;
        }
    }

    /** A variable of the client. */
    static final class Variable extends Expression {
        final String name;
        final Class<?> type;

        Variable(String name, Class<?> type) {
            this.name = name;
            this.type = type;
        }

        @Override
        Object value(Scope scope) {
            return scope.variable(name);
        }

        @Override
        String text() {
            return name;
        }

        @Override
        String source() {
            return name;
        }
    }

    /** An implementation of an interface that answers with simple values. */
    static final class Function extends Expression {
        private final Class<?> type;
        /** The answers that differ from the usual ones. */
        private final List<String> answers;

        Function(Class<?> type, List<String> answers) {
            this.type = type;
            this.answers = answers;
        }

        @Override
        Object value(Scope scope) throws Throwable {
            return Stub.of(scope.type(type), answers.toArray(new String[0]));
        }

        @Override
        String text() {
            return "a " + type.getSimpleName();
        }

        @Override
        String source() {
            StringBuilder given = new StringBuilder();
            answers.forEach(answer -> given.append(", ").append(JavaTypes.literal(answer)));
            return "(" + Names.of(type) + ") function(" + Names.of(type) + ".class" + given + ")";
        }
    }

    /** An array. */
    static final class ArrayOf extends Expression {
        private final Class<?> component;
        private final List<Expression> elements;

        ArrayOf(Class<?> component, List<Expression> elements) {
            this.component = component;
            this.elements = elements;
        }

        @Override
        Object value(Scope scope) throws Throwable {
            Object array = Array.newInstance(scope.type(component), elements.size());
            for (int i = 0; i < elements.size(); i++) {
                Array.set(array, i, elements.get(i).value(scope));
            }
            return array;
        }

        @Override
        String text() {
            return "new " + component.getSimpleName() + "[] {" + Names.texts(elements) + "}";
        }

        @Override
        String source() {
            List<String> sources = new ArrayList<>();
            for (Expression element : elements) {
                sources.add(Names.cast(component, element.source()));
            }
            return "new " + Names.of(component) + "[] {" + String.join(", ", sources) + "}";
        }
    }

    /** A new object. */
    static final class New extends Expression {
        final Constructor<?> constructor;
        final List<Expression> arguments;

        New(Constructor<?> constructor, List<Expression> arguments) {
            this.constructor = constructor;
            this.arguments = arguments;
        }

        @Override
        Object value(Scope scope) throws Throwable {
            return ready(scope).run();
        }

        @Override
        Ready ready(Scope scope) throws Throwable {
            Constructor<?> own = (Constructor<?>) scope.find(constructor);
            Object[] given = scope.values(arguments);
            return () -> {
                try {
                    return own.newInstance(given);
                } catch (InvocationTargetException thrown) {
                    return unwrapped(thrown);
                }
            };
        }

        private boolean isInner() {
            Class<?> type = constructor.getDeclaringClass();
            return type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        }

        @Override
        String text() {
            String name = constructor.getDeclaringClass().getSimpleName();
            if (isInner()) {
                String given = Names.texts(arguments.subList(1, arguments.size()));
                return arguments.get(0).text() + ".new " + name + "(" + given + ")";
            }
            return "new " + name + "(" + Names.texts(arguments) + ")";
        }

        @Override
        String source() {
            String given = Names.sources(constructor, arguments, isInner() ? 1 : 0);
            Class<?> type = constructor.getDeclaringClass();
            if (isInner()) {
                String outer = Names.cast(type.getDeclaringClass(), arguments.get(0).source());
                return "(" + outer + ").new " + type.getSimpleName() + "(" + given + ")";
            }
            return "new " + Names.of(type) + "(" + given + ")";
        }
    }

    /** A call of a method. */
    static class Call extends Expression {
        final Method method;
        final Expression receiver;
        final List<Expression> arguments;

        Call(Method method, Expression receiver, List<Expression> arguments) {
            this.method = method;
            this.receiver = receiver;
            this.arguments = arguments;
        }

        private boolean isStatic() {
            return Modifier.isStatic(method.getModifiers());
        }

        @Override
        Object value(Scope scope) throws Throwable {
            return ready(scope).run();
        }

        @Override
        Ready ready(Scope scope) throws Throwable {
            Method own = (Method) scope.find(method);
            Object object = isStatic() ? null : receiver.value(scope);
            Object[] given = scope.values(arguments);
            return () -> {
                try {
                    return own.invoke(object, given);
                } catch (InvocationTargetException thrown) {
                    return unwrapped(thrown);
                }
            };
        }

        @Override
        String text() {
            String object = isStatic() ? method.getDeclaringClass().getSimpleName() : receiver.text();
            return object + "." + method.getName() + "(" + Names.texts(arguments) + ")";
        }

        @Override
        String source() {
            Class<?> type = Names.receiverType(method, receiver);
            String object = isStatic() ? Names.of(method.getDeclaringClass())
                    : "(" + Names.cast(type, receiver.source()) + ")";
            return object + "." + method.getName() + "(" + Names.sources(method, arguments, 0) + ")";
        }

        boolean isVoid() {
            return method.getReturnType() == void.class;
        }
    }

    /** A call whose result is an object; it fails if that is null. */
    static final class Given extends Call {
        Given(Method method, Expression receiver, List<Expression> arguments) {
            super(method, receiver, arguments);
        }

        @Override
        Object value(Scope scope) throws Throwable {
            Object given = super.value(scope);
            if (given == null) {
                throw new NullPointerException(method.getName() + " gave null");
            }
            return given;
        }
    }
}
