package differential;

import java.io.ByteArrayOutputStream;
import java.io.CharArrayWriter;
import java.io.StringWriter;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Date;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;

/** The content of a library object, as far as it can be observed without changing it. */
final class Contents {
    private Contents() {}

    /** The content in order, or null if it cannot be observed. */
    static List<Object> of(Object object) {
        return object == null ? null : Log.silently(() -> seen(object));
    }

    private static List<Object> seen(Object object) {
        if (object instanceof Map<?, ?> map) {
            List<Object> all = new ArrayList<>();
            map.forEach((key, value) -> {
                all.add(key);
                all.add(value);
            });
            return all;
        }
        if (object instanceof Dictionary<?, ?> dictionary) {
            return new ArrayList<>(java.util.Collections.list(dictionary.elements()));
        }
        if (object instanceof Map.Entry<?, ?> entry) {
            return Arrays.asList(entry.getKey(), entry.getValue());
        }
        if (object instanceof Collection<?> collection) {
            return new ArrayList<>(Arrays.asList(collection.toArray()));
        }
        if (object.getClass().isArray()) {
            List<Object> all = new ArrayList<>();
            for (int index = 0; index < Array.getLength(object); index++) {
                all.add(Array.get(object, index));
            }
            return all;
        }
        return ofSmall(object);
    }

    private static List<Object> ofSmall(Object object) {
        if (object instanceof AtomicReference<?> reference) {
            return Arrays.asList((Object) reference.get());
        }
        if (object instanceof AtomicStampedReference<?> reference) {
            return Arrays.asList(reference.getReference(), reference.getStamp());
        }
        if (object instanceof AtomicMarkableReference<?> reference) {
            return Arrays.asList(reference.getReference(), reference.isMarked());
        }
        if (object instanceof AtomicReferenceArray<?> array) {
            List<Object> all = new ArrayList<>();
            for (int index = 0; index < array.length(); index++) {
                all.add(array.get(index));
            }
            return all;
        }
        if (object instanceof Optional<?> optional) {
            return optional.isPresent() ? Arrays.asList((Object) optional.get()) : List.of();
        }
        if (object instanceof Reference<?> reference) {
            return Arrays.asList((Object) reference.get());
        }
        if (object instanceof ThreadLocal<?> local) {
            return null;
        }
        if (object instanceof CompletableFuture<?> future) {
            boolean isGood = future.isDone() && !future.isCompletedExceptionally();
            return Arrays.asList(future.isDone(), isGood ? future.getNow(null) : null);
        }
        return ofText(object);
    }

    private static List<Object> ofText(Object object) {
        if (object instanceof ByteBuffer buffer) {
            return text(Arrays.toString(buffer.hasArray() ? buffer.array() : new byte[0]));
        }
        if (object instanceof CharBuffer buffer) {
            return text(buffer.hasArray() ? Arrays.toString(buffer.array()) : "");
        }
        if (object instanceof IntBuffer buffer) {
            return text(buffer.hasArray() ? Arrays.toString(buffer.array()) : "");
        }
        if (object instanceof ByteArrayOutputStream stream) {
            return text(Arrays.toString(stream.toByteArray()));
        }
        boolean isText = object instanceof StringBuilder || object instanceof StringBuffer
            || object instanceof StringJoiner || object instanceof BitSet || object instanceof StringWriter
            || object instanceof CharArrayWriter || object instanceof Number || object instanceof AtomicBoolean
            || object instanceof AtomicIntegerArray || object instanceof Date;
        return isText ? text(object.toString()) : null;
    }

    private static List<Object> text(String text) {
        return List.of(text);
    }

    /** Whether two contents consist of the same objects, or of equal texts and numbers. */
    static boolean same(List<Object> one, List<Object> other) {
        if (one == null || other == null || one.size() != other.size()) {
            return one == other;
        }
        for (int index = 0; index < one.size(); index++) {
            Object left = one.get(index);
            Object right = other.get(index);
            boolean isValue = left instanceof String || left instanceof Number || left instanceof Boolean
                || left instanceof Character;
            if (left != right && !(isValue && left.equals(right))) {
                return false;
            }
        }
        return true;
    }
}
