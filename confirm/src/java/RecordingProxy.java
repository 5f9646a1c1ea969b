package asercheck.confirm;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * An implementation of an interface that records its calls, and returns the simplest value of the type: an argument of
 * the type, or zero. The recorded calls are sorted, because a client cannot rely on the order of calls of two threads.
 */
final class RecordingProxy implements InvocationHandler {
    private final List<String> calls = new ArrayList<>();

    /** Returns a new proxy. */
    static Object of(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new RecordingProxy());
    }

    /** Returns the calls of a proxy; null for other objects. */
    static String calls(Object proxy) {
        if (proxy == null || !Proxy.isProxyClass(proxy.getClass())) {
            return null;
        }
        InvocationHandler handler = Proxy.getInvocationHandler(proxy);
        if (!(handler instanceof RecordingProxy)) {
            return null;
        }
        List<String> calls = ((RecordingProxy) handler).calls;
        synchronized (calls) {
            List<String> sorted = new ArrayList<>(calls);
            Collections.sort(sorted);
            return sorted.toString();
        }
    }

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] given) {
        Object[] arguments = given == null ? new Object[0] : given;
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method.getName(), arguments);
        }
        List<String> texts = new ArrayList<>();
        for (Object argument : arguments) {
            boolean isPlain = argument == null || ValuePrinter.isOfJava(argument.getClass());
            texts.add(isPlain ? new ValuePrinter().of(argument) : argument.getClass().getSimpleName());
        }
        synchronized (calls) {
            calls.add(method.getName() + texts);
        }
        return answer(method.getReturnType(), arguments);
    }

    private static Object ofObject(Object proxy, String name, Object[] arguments) {
        switch (name) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return 1;
            default:
                return "function";
        }
    }

    private static Object answer(Class<?> type, Object[] arguments) {
        if (type == void.class) {
            return null;
        }
        for (Object argument : arguments) {
            if (!type.isPrimitive() && type.isInstance(argument)) {
                return argument;
            }
        }
        return simplest(type);
    }

    private static Object simplest(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return true;
        }
        if (type == int.class || type == Integer.class || type == Object.class) {
            return 0;
        }
        if (type == long.class || type == Long.class) {
            return 0L;
        }
        if (type == double.class || type == Double.class) {
            return 0.0;
        }
        if (type == float.class) {
            return 0f;
        }
        if (type == char.class) {
            return 'a';
        }
        if (type == short.class) {
            return (short) 0;
        }
        if (type == byte.class) {
            return (byte) 0;
        }
        return type == String.class ? "a" : null;
    }
}
