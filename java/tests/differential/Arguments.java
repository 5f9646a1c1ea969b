package differential;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Arguments by type: each call of a supplier creates a new one. */
final class Arguments {
    private Arguments() {}

    /** Functions whose results are of this kind, which is not visible in their declared types. */
    private static final Map<String, Supplier<Object>> RESULTS = Map.of(
        "flatMap", () -> Stream.of(Item.fresh()),
        "flatMapToInt", () -> IntStream.of(1),
        "compose", () -> CompletableFuture.completedFuture(Item.fresh()),
        "optional", () -> java.util.Optional.of(Item.fresh()));

    /** The possible arguments for a parameter of a method; empty if there are none. */
    static List<Supplier<Object>> of(Class<?> type, Method method, List<Object> held) {
        if (type.isPrimitive()) {
            return primitives(type);
        }
        List<Supplier<Object>> all = new ArrayList<>();
        if (type == Object.class || type == Comparable.class) {
            all.add(Item::fresh);
            Object first = held.stream().filter(Item.class::isInstance).findFirst().orElse(null);
            if (first != null) {
                all.add(() -> first);
                all.add(() -> new Item(((Item) first).number));
            }
            Object last = held.isEmpty() ? null : held.get(held.size() - 1);
            if (last instanceof Item) {
                all.add(() -> last);
            }
            if (type == Object.class) {
                all.add(() -> new ArrayList<>(items()));
                all.add(() -> new LinkedHashSet<>(items()));
                all.add(() -> new HashMap<>(entries()));
                all.add(() -> Map.entry(new Item(1), Item.fresh()));
            }
            return all;
        }
        if (type.isArray()) {
            return arrays(type.getComponentType());
        }
        all.addAll(containers(type));
        if (all.isEmpty()) {
            all.addAll(others(type));
        }
        if (all.isEmpty() && isFunction(type)) {
            all.add(() -> function(type, method));
        }
        return all;
    }

    static List<Item> items() {
        return List.of(new Item(1), new Item(2), Item.fresh());
    }

    static Map<Item, Item> entries() {
        Map<Item, Item> all = new LinkedHashMap<>();
        Log.silently(() -> {
            all.put(new Item(1), Item.fresh());
            all.put(Item.fresh(), Item.fresh());
            return null;
        });
        return all;
    }

    private static List<Supplier<Object>> primitives(Class<?> type) {
        if (type == int.class) {
            return List.of(() -> 0, () -> 1, () -> 2, () -> -1, () -> 1_000);
        }
        if (type == long.class) {
            return List.of(() -> 1L, () -> 0L, () -> -1L);
        }
        if (type == boolean.class) {
            return List.of(() -> true, () -> false);
        }
        if (type == char.class) {
            return List.of(() -> 'x');
        }
        if (type == byte.class) {
            return List.of(() -> (byte) 7);
        }
        if (type == short.class) {
            return List.of(() -> (short) 7);
        }
        return type == float.class ? List.of(() -> 0.5f) : List.of(() -> 1.5);
    }

    private static List<Supplier<Object>> arrays(Class<?> element) {
        if (element == Object.class || element == Comparable.class) {
            return List.of(
                () -> items().toArray((Object[]) java.lang.reflect.Array.newInstance(Item.class, 0)),
                () -> element == Object.class ? new Object[] {new Item(1), null, null, null, null, null} : new Item[0]);
        }
        if (element == int.class) {
            return List.of(() -> new int[] {3, 1, 2});
        }
        if (element == long.class) {
            return List.of(() -> new long[] {3, 1, 2});
        }
        if (element == double.class) {
            return List.of(() -> new double[] {3, 1, 2});
        }
        if (element == byte.class) {
            return List.of(() -> new byte[] {3, 1, 2});
        }
        if (element == char.class) {
            return List.of(() -> new char[] {'3', '1', '2'});
        }
        if (element == CharSequence.class) {
            return List.of(() -> new CharSequence[] {new Bag.AsText(), "x"});
        }
        if (element == Map.Entry.class) {
            return List.of(() -> new Map.Entry<?, ?>[] {Map.entry(Item.fresh(), Item.fresh())});
        }
        if (element == CompletableFuture.class) {
            return List.of(() -> new CompletableFuture<?>[] {CompletableFuture.completedFuture(Item.fresh())});
        }
        return List.of();
    }

    private static List<Supplier<Object>> containers(Class<?> type) {
        List<Supplier<Object>> all = new ArrayList<>();
        List<Supplier<Object>> known = List.of(
            () -> new ArrayList<Object>(items()), () -> new Bag.AsList(items()),
            () -> new Bag.AsSet(set(new HashSet<>())), () -> set(new TreeSet<>()), () -> set(new LinkedHashSet<>()),
            () -> new HashMap<>(entries()), () -> new Bag.AsMap(entries()),
            () -> new java.util.TreeMap<>(entries()), () -> new Bag.AsIterator(items()),
            () -> new java.util.ArrayDeque<Object>(items()), () -> Map.entry(new Item(1), Item.fresh()),
            () -> new Bag.AsText(), () -> new java.util.Vector<Object>(items()).spliterator(),
            () -> Stream.of(items().toArray()), () -> IntStream.of(1, 2));
        for (Supplier<Object> one : known) {
            Object example = Log.silently(one::get);
            if (type.isInstance(example)) {
                all.add(() -> Log.silently(one::get));
            }
        }
        return all;
    }

    private static Set<Object> set(Set<Object> empty) {
        return Log.silently(() -> {
            empty.addAll(items());
            return empty;
        });
    }

    private static List<Supplier<Object>> others(Class<?> type) {
        if (type == String.class) {
            return List.of(() -> "1a", () -> "");
        }
        if (type == Class.class) {
            return List.of(() -> Item.class);
        }
        if (type == TimeUnit.class) {
            return List.of(() -> TimeUnit.MILLISECONDS);
        }
        if (type == Throwable.class) {
            return List.of(() -> new IllegalArgumentException());
        }
        if (type == Iterator.class || type == Enumeration.class) {
            return List.of(() -> new Bag.AsIterator(items()));
        }
        if (type == java.util.stream.Collector.class) {
            return List.of(Collectors::toList, () -> Collectors.toCollection(TreeSet::new),
                () -> Collectors.groupingBy(item -> item), Collectors::toSet);
        }
        if (type == java.util.concurrent.CompletionStage.class) {
            return List.of(() -> CompletableFuture.completedFuture(Item.fresh()));
        }
        if (type == StringBuffer.class) {
            return List.of(() -> new StringBuffer("b"));
        }
        if (type == StringBuilder.class) {
            return List.of(() -> new StringBuilder("b"));
        }
        if (type == java.util.BitSet.class) {
            return List.of(() -> java.util.BitSet.valueOf(new long[] {5}));
        }
        if (type == java.nio.ByteBuffer.class) {
            return List.of(() -> java.nio.ByteBuffer.wrap(new byte[] {9, 8}));
        }
        if (type == java.util.Random.class) {
            return List.of(java.util.Random::new);
        }
        if (type == java.util.concurrent.Delayed.class) {
            return List.of(Item::fresh);
        }
        return type == Collection.class ? List.of(() -> new ArrayList<Object>(items())) : List.of();
    }

    private static boolean isFunction(Class<?> type) {
        long open = Arrays.stream(type.getMethods()).filter(Arguments::isOpen).count();
        return type.isInterface() && open == 1;
    }

    private static boolean isOpen(Method method) {
        boolean isOfObject = Arrays.stream(Object.class.getMethods())
            .anyMatch(own -> own.getName().equals(method.getName())
                && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
        return java.lang.reflect.Modifier.isAbstract(method.getModifiers()) && !isOfObject;
    }

    /** A function that logs its calls. Its results are new items, or objects of the type that it requires. */
    static Object function(Class<?> type, Method of) {
        int[] calls = new int[1];
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "function";
                };
            }
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            Log log = Log.now();
            return Log.called(proxy, method.getName(), () -> {
                Object result = result(type, method, of, arguments, calls[0]++);
                log.plays(result, "yielded");
                return result;
            });
        };
        return Proxy.newProxyInstance(Arguments.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private static Object result(Class<?> type, Method method, Method of, Object[] arguments, int number) {
        Class<?> result = method.getReturnType();
        String name = of == null ? "" : of.getName();
        if (type == Comparator.class) {
            Object[] pair = arguments;
            return pair[0] instanceof Item one && pair[1] instanceof Item two ? Integer.compare(one.number, two.number)
                : 0;
        }
        if (result == void.class) {
            return null;
        }
        if (result == boolean.class) {
            return number % 2 == 0;
        }
        if (result.isPrimitive()) {
            return result == int.class ? (Object) 1 : result == long.class ? (Object) 1L : (Object) 1.0;
        }
        if (name.equals("toArray")) {
            return new Object[(Integer) arguments[0]];
        }
        if (name.equals("flatMap") && of.getDeclaringClass() == java.util.Optional.class || name.equals("or")) {
            return RESULTS.get("optional").get();
        }
        if (name.contains("ompose") && of.getDeclaringClass().getName().contains("Comp")) {
            return RESULTS.get("compose").get();
        }
        if (name.equals("flatMap") || name.equals("flatMapping")) {
            return RESULTS.get("flatMap").get();
        }
        if (name.equals("flatMapToInt")) {
            return RESULTS.get("flatMapToInt").get();
        }
        boolean isOfMap = name.startsWith("groupingBy") || name.startsWith("toMap")
            || name.startsWith("toConcurrentMap");
        if (isOfMap && type == Supplier.class) {
            return new java.util.concurrent.ConcurrentHashMap<>();
        }
        if (name.equals("toCollection")) {
            return new ArrayList<>();
        }
        if (name.equals("collect")) {
            return new ArrayList<>();
        }
        return Throwable.class.isAssignableFrom(result) ? new IllegalStateException() : Item.fresh();
    }
}
