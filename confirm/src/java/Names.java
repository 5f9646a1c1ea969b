package asercheck.confirm;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Names of types in Java code, and arguments with casts that select the intended overload. */
final class Names {
    private Names() {}

    /** Returns the name of a type in Java code. */
    static String of(Class<?> type) {
        String name = type.getCanonicalName();
        return name == null ? type.getName() : name;
    }

    static String cast(Class<?> type, String source) {
        return "(" + of(type) + ") " + source;
    }

    /**
     * Returns the type of a receiver: the class that declares the method or, if it is hidden, the type of the variable.
     */
    static Class<?> receiverType(Method method, Expression receiver) {
        Class<?> declaring = method.getDeclaringClass();
        boolean isHidden = !Modifier.isPublic(declaring.getModifiers()) && receiver instanceof Expression.Variable;
        return isHidden ? ((Expression.Variable) receiver).type : declaring;
    }

    static String texts(List<Expression> expressions) {
        List<String> texts = new ArrayList<>();
        expressions.forEach(expression -> texts.add(expression.text()));
        return String.join(", ", texts);
    }

    /** Returns the arguments from a number on, each with a cast to the type of its parameter. */
    static String sources(Executable method, List<Expression> arguments, int from) {
        List<String> sources = new ArrayList<>();
        Class<?>[] types = method.getParameterTypes();
        for (int i = from; i < arguments.size(); i++) {
            sources.add(cast(types[i], arguments.get(i).source()));
        }
        return String.join(", ", sources);
    }
}
