package asercheck.confirm;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** How Java code names types, and passes arguments so that the overloaded method that is meant is called. */
final class Names {
    private Names() {}

    /** The name of a type as it compiles. */
    static String of(Class<?> type) {
        String name = type.getCanonicalName();
        return name == null ? type.getName() : name;
    }

    static String cast(Class<?> type, String source) {
        return "(" + of(type) + ") " + source;
    }

    /** As what a method's receiver is taken: the class that declares it, or one that all may name. */
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

    /** The arguments from one on, each cast to the type of its parameter. */
    static String sources(Executable method, List<Expression> arguments, int from) {
        List<String> sources = new ArrayList<>();
        Class<?>[] types = method.getParameterTypes();
        for (int i = from; i < arguments.size(); i++) {
            sources.add(cast(types[i], arguments.get(i).source()));
        }
        return String.join(", ", sources);
    }
}
