package observed;

import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What instrumented code tells while it runs: where objects are made, and what methods are given and return. */
public final class Record {
    /** Where each object was made: its class, then the method that made it; or nobody that was given. */
    private static final Map<Object, String> MADE = new IdentityHashMap<>();
    private static final Set<String> FACTS = new LinkedHashSet<>();
    private static final ThreadLocal<Boolean> BUSY = ThreadLocal.withInitial(() -> false);
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    static final Set<String> GIVEN = new LinkedHashSet<>();

    private Record() {
    }

    /** An object's constructor begins. */
    public static synchronized void made(Object object) {
        if (BUSY.get() || MADE.containsKey(object)) {
            return;
        }
        String by = WALKER.walk(frames -> {
            Class<?> own = object.getClass();
            int inside = 0;
            for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
                boolean isOwn = frame.getDeclaringClass() == own && frame.getMethodName().equals("<init>");
                if (inside > 1 && !isOwn) {
                    // It calls another constructor of its class, or makes an object of it.
                    return "?";
                }
                if (inside == 1 && !isOwn) {
                    String name = frame.getDeclaringClass().getName();
                    return GIVEN.contains(name) ? name + " " + frame.getMethodName() + frame.getDescriptor() : "-";
                }
                inside += isOwn ? 1 : 0;
            }
            return "-";
        });
        MADE.put(object, object.getClass().getName() + " " + by);
    }

    /** A method is given something, its receiver included. */
    public static synchronized void given(Object object, String method, int place) {
        fact("given " + method + " " + place, object);
    }

    /** A method returns something. */
    public static synchronized void returned(Object object, String method) {
        fact("returned " + method, object);
    }

    /** A method begins. */
    public static synchronized void entered(String method) {
        if (BUSY.get()) {
            return;
        }
        String caller = WALKER.walk(frames -> frames.skip(2).findFirst().map(frame -> {
            String name = frame.getDeclaringClass().getName();
            String line = String.valueOf(frame.getLineNumber());
            return GIVEN.contains(name) ? name + " " + frame.getMethodName() + frame.getDescriptor() + " " + line : "-";
        }).orElse("-"));
        FACTS.add("entered " + method + " " + caller);
    }

    private static void fact(String what, Object object) {
        if (BUSY.get() || object == null) {
            return;
        }
        String made = MADE.get(object);
        if (made != null) {
            FACTS.add(what + " " + made);
        } else if (GIVEN.contains(object.getClass().getName())) {
            FACTS.add(what + " " + object.getClass().getName() + " ?");
        } else if (!object.getClass().isHidden() && !java.lang.reflect.Proxy.isProxyClass(object.getClass())) {
            FACTS.add(what + " " + object.getClass().getName() + " *");
        }
    }

    /** Says everything that was seen; looks at the fields of all objects first. */
    public static synchronized void print(PrintStream out) {
        BUSY.set(true);
        List<Map.Entry<Object, String>> objects = new ArrayList<>(MADE.entrySet());
        BUSY.set(false);
        for (Map.Entry<Object, String> object : objects) {
            for (Class<?> type = object.getKey().getClass(); type != null; type = type.getSuperclass()) {
                if (GIVEN.contains(type.getName())) {
                    fields(object.getKey(), object.getValue(), type);
                }
            }
        }
        BUSY.set(true);
        FACTS.forEach(out::println);
        out.flush();
    }

    private static void fields(Object object, String made, Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (field.getType().isPrimitive()) {
                continue;
            }
            boolean isStatic = Modifier.isStatic(field.getModifiers());
            try {
                field.setAccessible(true);
                Object value = field.get(isStatic ? null : object);
                String name = type.getName() + " " + field.getName();
                String what = isStatic ? "static " + name : "field " + name + " " + made;
                fact(what, value);
                for (Object held : content(value)) {
                    fact("content of " + what, held);
                }
            } catch (ReflectiveOperationException | RuntimeException | LinkageError | StackOverflowError error) {
                // What cannot be read is not seen.
            }
        }
    }

    /** What an array or container holds that has nothing to do with the program. */
    private static List<Object> content(Object value) {
        List<Object> found = new ArrayList<>();
        if (value instanceof Object[]) {
            for (int index = 0; index < Array.getLength(value); index++) {
                found.add(Array.get(value, index));
            }
        } else if (value != null && value.getClass().getName().startsWith("java.")) {
            if (value instanceof Collection<?> collection) {
                found.addAll(collection);
            } else if (value instanceof Map<?, ?> map) {
                found.addAll(map.keySet());
                found.addAll(map.values());
            } else if (value instanceof Optional<?> optional) {
                optional.ifPresent(found::add);
            } else if (value instanceof java.util.concurrent.atomic.AtomicReference<?> reference) {
                found.add(reference.get());
            } else if (value instanceof java.util.concurrent.atomic.AtomicReferenceArray<?> array) {
                for (int index = 0; index < array.length(); index++) {
                    found.add(array.get(index));
                }
            }
        }
        return found;
    }
}
