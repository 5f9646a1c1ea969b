package recorder;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Enumeration;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.stream.BaseStream;
import jdk.internal.misc.Unsafe;

/** References of objects, including library objects. */
final class Heap {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();
    private static final Map<Class<?>, Map<String, String>> DECLARED = new ConcurrentHashMap<>();
    /** Limit of visited objects for one traversal. */
    private static final int MOST = 20_000;
    /** Fields of the library with cached values. */
    private static final Set<String> CACHES = Set.of("keySet", "values", "entrySet", "toStringCache", "hash",
        "descendingMap", "navigableKeySet", "keyUniverse", "universe");

    /** Packages whose objects are not traversed. */
    private static final List<String> CLOSED = List.of("java.lang.invoke.", "java.lang.reflect.", "jdk.internal.",
        "recorder.");

    /** Containers inside of others, such as the map of a set, with the outer containers. */
    private static final Map<Object, Object> INSIDE = Collections.synchronizedMap(new IdentityHashMap<>());

    private Heap() {}

    /** Forgets all objects. */
    static void clear() {
        INSIDE.clear();
    }

    /** Records the inside of a container. */
    private static void learn(Object container) {
        boolean isAtomic = container.getClass().getName().startsWith("java.util.concurrent.atomic.");
        if (isAtomic || SubjectLoader.isSubject(container.getClass()) || container.getClass().isArray()) {
            return;
        }
        held(container, (name, value) -> {
            if (!SubjectLoader.isSubject(value.getClass()) && (value instanceof Collection || value instanceof Map)) {
                INSIDE.put(value, container);
            }
        });
    }

    private static List<Field> fields(Class<?> of) {
        return FIELDS.computeIfAbsent(of, Heap::declared);
    }

    private static List<Field> declared(Class<?> of) {
        List<Field> found = new ArrayList<>();
        for (Class<?> above = of; above != null && above != Object.class; above = above.getSuperclass()) {
            for (Field field : above.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    found.add(field);
                }
            }
        }
        return found;
    }

    private static Object value(Object object, Field field) {
        long place = UNSAFE.objectFieldOffset(field);
        Class<?> type = field.getType();
        if (!type.isPrimitive()) {
            return UNSAFE.getReference(object, place);
        } else if (type == long.class || type == double.class) {
            return UNSAFE.getLong(object, place);
        } else if (type == int.class || type == float.class) {
            return UNSAFE.getInt(object, place);
        } else if (type == short.class || type == char.class) {
            return (int) UNSAFE.getShort(object, place);
        }
        return (int) UNSAFE.getByte(object, place);
    }

    /** Returns the value of a named field of an object. */
    static Object field(Object object, String name) {
        for (Field field : fields(object.getClass())) {
            if (field.getName().equals(name)) {
                return value(object, field);
            }
        }
        return null;
    }

    /** Whether the references of an object are not traversed: it is a value, or it belongs to the virtual machine. */
    private static boolean isClosed(Object object) {
        if (SubjectLoader.isSubject(object.getClass())) {
            return false;
        }
        String name = object.getClass().getName();
        boolean isValue = object instanceof String || object instanceof Number && name.startsWith("java.lang.")
            || object instanceof Boolean || object instanceof Character;
        boolean isOfMachine = object instanceof Class || object instanceof ClassLoader || object instanceof Thread
            || object instanceof ThreadGroup || object instanceof ThreadLocal;
        return isValue || isOfMachine || CLOSED.stream().anyMatch(name::startsWith);
    }

    /** Whether a library object has a content of its own that is visible to users. */
    static boolean isContainer(Object object) {
        Class<?> of = object.getClass();
        if (SubjectLoader.isSubject(of)) {
            // The part of a program object that its class inherits from the library.
            boolean isKind = object instanceof Collection || object instanceof Map;
            return isKind && fields(of).stream().anyMatch(Heap::isOfLibrary);
        }
        boolean isKnown = object instanceof Collection || object instanceof Map || object instanceof StringBuilder
            || object instanceof StringBuffer || object instanceof BitSet || object instanceof StringJoiner
            || of.getName().startsWith("java.util.concurrent.atomic.");
        return isKnown && Modifier.isPublic(of.getModifiers());
    }

    private static boolean isOfLibrary(Field field) {
        return !SubjectLoader.isSubject(field.getDeclaringClass());
    }

    /** Returns the containers whose content a library object shows: itself, or those of a view or an iterator. */
    static List<Object> bases(Object object) {
        if (isContainer(object) || object.getClass().isArray()) {
            return List.of(object);
        }
        boolean isView = object instanceof Collection || object instanceof Map || object instanceof Iterator
            || object instanceof Enumeration || object instanceof BaseStream || object instanceof Spliterator;
        if (!isView || SubjectLoader.isSubject(object.getClass())) {
            return List.of();
        }
        boolean showsArray = object.getClass().getName().contains("Array");
        List<Object> found = new ArrayList<>();
        visit(object, (one, isFirst) -> {
            if (isContainer(one) || showsArray && one.getClass().isArray()) {
                found.add(INSIDE.getOrDefault(one, one));
                return false;
            }
            return isFirst || isInternal(one) && !isPlace(one);
        });
        return found;
    }

    /** Whether a library object only holds elements: the objects that it refers to are no longer the container. */
    private static boolean isPlace(Object object) {
        return object.getClass().isArray() || object instanceof Map.Entry
            || object.getClass().getSimpleName().contains("Node");
    }

    /** Whether an object is a part of a library object. */
    private static boolean isInternal(Object object) {
        Class<?> of = object.getClass();
        boolean isHidden = of.isArray() || !Modifier.isPublic(of.getModifiers()) || of.getName().contains("$");
        return isHidden && !SubjectLoader.isSubject(of) && !(of.isArray() && SubjectLoader.isSubject(element(of)));
    }

    private static Class<?> element(Class<?> array) {
        Class<?> of = array;
        while (of.isArray()) {
            of = of.getComponentType();
        }
        return of;
    }

    /** Whether a traversal continues after an object. */
    private interface Visitor {
        boolean visit(Object object, boolean isFirst);
    }

    /** Visits the objects that are reachable from an object, breadth first. */
    private static void visit(Object first, Visitor visitor) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>(List.of(first));
        seen.add(first);
        while (!open.isEmpty() && seen.size() < MOST) {
            Object object = open.poll();
            if (!isClosed(object) && visitor.visit(object, object == first)) {
                held(object, (name, value) -> {
                    if (seen.add(value)) {
                        open.add(value);
                    }
                });
            }
        }
    }

    /** Returns all references of an object. */
    private static void held(Object object, BiConsumer<String, Object> takes) {
        if (object instanceof Object[] array) {
            for (Object element : array) {
                if (element != null) {
                    takes.accept("[]", element);
                }
            }
            return;
        }
        if (object.getClass().isArray()) {
            return;
        }
        boolean isGiven = SubjectLoader.isSubject(object.getClass());
        for (Field field : fields(object.getClass())) {
            boolean isLeftOut = field.getType().isPrimitive() || !isGiven && CACHES.contains(field.getName());
            Object value = isLeftOut ? null : value(object, field);
            if (value != null) {
                takes.accept(field.getName(), value);
            }
        }
    }

    /** Returns the content of a container or an array as a list; lists are equal if the content is unchanged. */
    static List<Object> content(Object container) {
        List<Object> found = new ArrayList<>();
        if (container instanceof ConcurrentLinkedDeque || container instanceof ConcurrentLinkedQueue) {
            // Reading these containers removes stale entries.
            ((Collection<?>) container).forEach(element -> found.add(new Identity(element)));
            return found;
        }
        boolean isGiven = SubjectLoader.isSubject(container.getClass());
        learn(container);
        visit(container, (one, isFirst) -> {
            boolean isLock = one.getClass().getName().startsWith("java.util.concurrent.locks.");
            boolean isPart = isInternal(one) && !container.getClass().isArray() || INSIDE.get(one) == container;
            if (isLock || !(isFirst || isPart)) {
                return false;
            }
            add(found, one, isGiven && isFirst);
            return true;
        });
        return found;
    }

    /** Adds the references of an object; for a program object only those in fields of the library. */
    private static void add(List<Object> found, Object object, boolean isGiven) {
        if (object.getClass().isArray()) {
            int length = java.lang.reflect.Array.getLength(object);
            for (int index = 0; index < length; index++) {
                Object element = java.lang.reflect.Array.get(object, index);
                found.add(object.getClass().getComponentType().isPrimitive() ? element : new Identity(element));
            }
            return;
        }
        for (Field field : fields(object.getClass())) {
            boolean isOwn = SubjectLoader.isSubject(field.getDeclaringClass());
            if (!CACHES.contains(field.getName()) && !(isGiven && isOwn)) {
                Object value = value(object, field);
                found.add(field.getType().isPrimitive() ? value : new Identity(value));
            }
        }
    }

    /** Returns a field by its declaring class; an access may name any subclass. */
    static String declared(Object object, String field) {
        return DECLARED.computeIfAbsent(object.getClass(), of -> new ConcurrentHashMap<>())
            .computeIfAbsent(field, name -> declaredBy(object.getClass(), name));
    }

    private static String declaredBy(Class<?> of, String field) {
        int end = field.lastIndexOf('.');
        String owner = field.substring(0, end);
        String simple = field.substring(end + 1);
        boolean isBelow = false;
        for (Class<?> one = of; one != null; one = one.getSuperclass()) {
            isBelow |= one.getName().equals(owner);
            for (Field declared : isBelow ? one.getDeclaredFields() : new Field[0]) {
                if (declared.getName().equals(simple)) {
                    return one.getName() + "." + simple;
                }
            }
        }
        return field;
    }

    /** Returns the fields of a program object by name, as values that are equal if the fields are unchanged. */
    static Map<String, Object> own(Object object) {
        Map<String, Object> found = new java.util.TreeMap<>();
        for (Field field : fields(object.getClass())) {
            Object value = value(object, field);
            String name = field.getDeclaringClass().getName() + "." + field.getName();
            found.put(name, field.getType().isPrimitive() ? value : new Identity(value));
        }
        return found;
    }

    /** A reference, equal to others to the same object; small values are compared by value. */
    private record Identity(Object object) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Identity it && it.object == object;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object);
        }
    }

    /** Writes the references between the objects that are reachable from the roots. */
    static void dump(Collection<Object> roots) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>(roots);
        seen.addAll(roots);
        while (!open.isEmpty() && seen.size() < MOST) {
            Object object = open.poll();
            edges(object, (label, value) -> {
                Trace.tell("e", Trace.number(object), label, Trace.number(value));
                if (seen.add(value)) {
                    open.add(value);
                }
            });
        }
    }

    private static void edges(Object object, BiConsumer<String, Object> takes) {
        Class<?> of = object.getClass();
        if (object instanceof Class<?> given) {
            statics(given, takes);
        } else if (isClosed(object)) {
            return;
        } else if (of.isHidden()) {
            int[] number = {0};
            held(object, (name, value) -> takes.accept("captured" + number[0]++, value));
        } else if (SubjectLoader.isSubject(of)) {
            held(object, (name, value) -> {
                if (!isClosed(value)) {
                    takes.accept(name, value);
                }
            });
            if (isContainer(object)) {
                content(object, takes);
            }
        } else if (of.isArray()) {
            held(object, (name, value) -> {
                if (!isClosed(value)) {
                    takes.accept(name, value);
                }
            });
        } else {
            Locks.learn(object);
            if (isContainer(object)) {
                learn(object);
            }
            content(object, takes);
        }
    }

    /** Returns the program objects and containers to which a library object refers, also through its own parts. */
    private static void content(Object object, BiConsumer<String, Object> takes) {
        visit(object, (one, isFirst) -> {
            boolean isPart = isFirst || isInternal(one) || INSIDE.get(one) == object;
            if (!isFirst && (!isPart || one.getClass().isArray() || isContainer(one))) {
                takes.accept("[]", one);
            }
            return isPart;
        });
    }

    private static void statics(Class<?> given, BiConsumer<String, Object> takes) {
        if (!SubjectLoader.isSubject(given)) {
            return;
        }
        for (Field field : given.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                Object value = UNSAFE.getReference(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
                if (value != null && !isClosed(value)) {
                    takes.accept(field.getName(), value);
                }
            }
        }
    }
}
