package asercheck.confirm;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** What the names of methods promise; a wrong guess costs time, but is never believed. */
final class Questions {
    private static final List<String> ADDING = Arrays.asList("add", "put", "set", "push", "offer", "append", "insert",
            "register", "deposit", "inc", "open", "start", "create", "fill", "store", "enqueue", "acquire", "update", "write",
            "init", "subscribe", "enable", "load", "reserve");
    private static final List<String> ASKING = Arrays.asList("get", "is", "has", "size", "length", "count", "contains",
            "to", "keys", "values", "entry", "element", "first", "last", "peek", "index", "char", "find", "lookup", "equals",
            "hash", "iterator", "list", "sum", "total", "available", "capacity", "current", "snapshot", "name", "value",
            "describe", "sub", "copy", "clone", "compare", "sorted", "read", "max", "min", "average", "balance");
    private static final List<String> BLOCKING = Arrays.asList("take", "await", "wait", "lock", "join", "acquire", "notify",
            "getClass", "hashCode", "spliterator", "stream", "parallelStream", "sleep", "park", "run", "call", "main",
            "transfer", "exchange", "finalize");

    private Questions() {}

    private static boolean begins(Method method, List<String> words) {
        return words.stream().anyMatch(word -> method.getName().startsWith(word));
    }

    /** Whether it seems to change the object. */
    static boolean isMutator(Method method) {
        return method.getReturnType() == void.class || !begins(method, ASKING) || begins(method, ADDING);
    }

    /** Whether it seems to put something into the object. */
    static boolean adds(Method method) {
        return begins(method, ADDING);
    }

    /** Whether it may wait for others, or says nothing that counts. */
    static boolean mayBlock(Method method) {
        return method.getReturnType() != void.class && begins(method, BLOCKING)
                || method.getReturnType() == void.class && begins(method, BLOCKING.subList(0, 6))
                || method.getDeclaringClass() == Object.class;
    }
}
