package differential;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Uses of an object that reveal its content and its functions. */
final class Uses {
    private Uses() {}

    /** Uses an object, such that the functions that it keeps are called; adds its results to a list. */
    static void use(Object object, List<Object> found) throws Exception {
        if (object instanceof Stream<?> stream) {
            found.addAll(java.util.Arrays.asList(stream.limit(20).toArray()));
        } else if (object instanceof IntStream stream) {
            stream.limit(20).toArray();
        } else if (object instanceof Iterator<?> iterator) {
            while (iterator.hasNext() && found.size() < 20) {
                found.add(iterator.next());
            }
        } else if (object instanceof Enumeration<?> enumeration) {
            while (enumeration.hasMoreElements()) {
                found.add(enumeration.nextElement());
            }
        } else if (object instanceof Spliterator<?> spliterator) {
            spliterator.forEachRemaining(found::add);
        } else if (object instanceof Comparator<?> comparator) {
            ((Comparator<Object>) comparator).compare(new Item(1), new Item(2));
        } else if (object instanceof Collector<?, ?, ?> collector) {
            Object result = Stream.of(new Item(1), new Item(2)).collect((Collector<Object, ?, Object>) collector);
            found.add(result);
        } else if (object instanceof Future<?> future) {
            if (future instanceof java.util.concurrent.FutureTask<?> task) {
                task.run();
            }
            found.add(future.get(50, TimeUnit.MILLISECONDS));
        } else {
            useFunction(object, found);
        }
    }

    private static void useFunction(Object object, List<Object> found) throws Exception {
        if (object instanceof Function<?, ?> function) {
            found.add(((Function<Object, Object>) function).apply(new Item(1)));
        } else if (object instanceof BinaryOperator<?> function) {
            found.add(((BinaryOperator<Object>) function).apply(new Item(1), new Item(2)));
        } else if (object instanceof Predicate<?> function) {
            ((Predicate<Object>) function).test(new Item(1));
        } else if (object instanceof Supplier<?> function) {
            found.add(function.get());
        } else if (object instanceof Callable<?> function) {
            found.add(function.call());
        } else if (object instanceof ThreadLocal<?> local) {
            found.add(local.get());
        } else if (object instanceof Map<?, ?> map) {
            ((Map<Object, Object>) map).put(Item.fresh(), Item.fresh());
        } else if (object instanceof Collection<?> collection) {
            ((Collection<Object>) collection).add(Item.fresh());
        } else if (object instanceof java.util.concurrent.atomic.LongAccumulator accumulator) {
            accumulator.accumulate(1);
        } else if (object instanceof Thread thread) {
            thread.run();
        }
    }

    /** Changes one object; returns whether the content of another one changes. */
    static boolean showsChange(Object changed, Object shown) {
        List<Object> before = Contents.of(shown);
        // A future changes by itself.
        if (shown instanceof Future || before == null || !changes(changed)) {
            return false;
        }
        return !Contents.same(before, Contents.of(shown));
    }

    /** Changes the content of an object. */
    static boolean changes(Object object) {
        Boolean isChanged = Log.silently(() -> {
            List<Object> before = Contents.of(object);
            change(object);
            return before != null && !Contents.same(before, Contents.of(object));
        });
        return Boolean.TRUE.equals(isChanged);
    }

    private static void change(Object object) {
        if (object instanceof Map<?, ?> map) {
            ((Map<Object, Object>) map).put(map.isEmpty() ? new Item(1) : map.keySet().iterator().next(), Item.fresh());
        } else if (object instanceof Map.Entry<?, ?> entry) {
            ((Map.Entry<?, Object>) entry).setValue(Item.fresh());
        } else if (object instanceof List<?> list && !list.isEmpty()) {
            ((List<Object>) list).set(0, Item.fresh());
        } else if (object instanceof Collection<?> collection) {
            collection.remove(collection.iterator().next());
        } else if (object instanceof java.nio.ByteBuffer buffer) {
            buffer.put(0, (byte) (buffer.get(0) + 1));
        } else if (object instanceof java.nio.CharBuffer buffer) {
            buffer.put(0, (char) (buffer.get(0) + 1));
        } else if (object instanceof java.nio.IntBuffer buffer) {
            buffer.put(0, buffer.get(0) + 1);
        } else if (object instanceof StringBuffer buffer) {
            buffer.append("z");
        } else if (object.getClass().isArray() && Array.getLength(object) > 0) {
            changeArray(object);
        }
    }

    private static void changeArray(Object array) {
        if (array instanceof Object[] objects) {
            objects[0] = Item.fresh();
        } else if (array instanceof byte[] bytes) {
            bytes[0]++;
        } else if (array instanceof char[] chars) {
            chars[0]++;
        } else if (array instanceof int[] numbers) {
            numbers[0]++;
        } else if (array instanceof long[] numbers) {
            numbers[0]++;
        } else if (array instanceof double[] numbers) {
            numbers[0]++;
        }
    }

    /** Removes the content of an object; returns whether this was possible. */
    static boolean empties(Object object) {
        Boolean isEmpty = Log.silently(() -> {
            if (object instanceof Map<?, ?> map) {
                map.clear();
            } else if (object instanceof Collection<?> collection) {
                collection.clear();
            } else if (object instanceof StringBuilder builder) {
                builder.setLength(0);
            } else if (object instanceof StringBuffer buffer) {
                buffer.setLength(0);
            } else if (object instanceof java.util.BitSet bits) {
                bits.clear();
            } else if (object instanceof java.util.concurrent.atomic.AtomicInteger number) {
                number.set(0);
            } else {
                return false;
            }
            return true;
        });
        return Boolean.TRUE.equals(isEmpty);
    }

    /** Observations of a result by itself. */
    static String signature(Object result) {
        if (result == null) {
            return "null";
        }
        boolean isValue = result instanceof Number || result instanceof Boolean || result instanceof String;
        if (isValue) {
            return result.toString();
        }
        // A view shows the content at the time of the access.
        return result.getClass().isArray() ? "array of " + Array.getLength(result) : "object";
    }
}
