package asercheck.confirm;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** Guesses from the names of methods. A wrong guess costs time, but does not affect the verdict. */
final class MethodNames {
    private static final List<String> ADDING = Arrays.asList("add", "put", "set", "push", "offer", "append", "insert",
            "register", "deposit", "inc", "open", "start", "create", "fill", "store", "enqueue", "acquire", "update",
            "write", "init", "subscribe", "enable", "load", "reserve");
    private static final List<String> READING = Arrays.asList("get", "is", "has", "size", "length", "count", "contains",
            "to", "keys", "values", "entry", "element", "first", "last", "peek", "index", "char", "find", "lookup",
            "equals", "hash", "iterator", "list", "sum", "total", "available", "capacity", "current", "snapshot",
            "name", "value", "describe", "sub", "copy", "clone", "compare", "sorted", "read", "max", "min", "average",
            "balance");
    private static final List<String> BLOCKING = Arrays.asList("take", "await", "wait", "lock", "join", "acquire",
            "notify", "getClass", "hashCode", "spliterator", "stream", "parallelStream", "sleep", "park", "run", "call",
            "main", "transfer", "exchange", "finalize");

    private MethodNames() {}

    private static boolean begins(Method method, List<String> words) {
        return words.stream().anyMatch(word -> method.getName().startsWith(word));
    }

    /** Whether a method seems to change the object. */
    static boolean isMutator(Method method) {
        return method.getReturnType() == void.class || !begins(method, READING) || begins(method, ADDING);
    }

    /** Whether a method seems to add something to the object. */
    static boolean adds(Method method) {
        return begins(method, ADDING);
    }

    /** Whether a method may wait for other threads, or is useless as an observer. */
    static boolean mayBlock(Method method) {
        return method.getReturnType() != void.class && begins(method, BLOCKING)
                || method.getReturnType() == void.class && begins(method, BLOCKING.subList(0, 6))
                || method.getDeclaringClass() == Object.class;
    }
}
