package asercheck.confirm;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;

/** The descriptors of methods in class files. */
final class Descriptors {
    private Descriptors() {}

    static String of(Executable method) {
        Class<?> result = method instanceof Method ? ((Method) method).getReturnType() : void.class;
        return parameters(method) + of(result);
    }

    /** Returns the part before the result. */
    static String parameters(Executable method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(of(parameter));
        }
        return text.append(')').toString();
    }

    private static String of(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName().replace('.', '/');
        return array.substring(1);
    }
}
