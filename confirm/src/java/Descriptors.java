package asercheck.confirm;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;

/** The descriptors of methods in class files. */
final class Descriptors {
    private Descriptors() {}

    static String of(Executable method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(of(parameter));
        }
        Class<?> result = method instanceof Method ? ((Method) method).getReturnType() : void.class;
        return text.append(')').append(of(result)).toString();
    }

    private static String of(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName().replace('.', '/');
        return array.substring(1);
    }
}
