package asercheck.confirm;

import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The choices that differ from those that the planner makes by itself, because objects could not be made with them. A
 * place is a parameter of a constructor or method, a method of a stub, or a key of a map.
 */
final class Hints {
    /** The value null. */
    static final Object NULL = new Object();

    /** The values of places. */
    private final Map<String, Object> values = new HashMap<>();
    private final Set<String> blocked = new HashSet<>();

    /** One change. The value {@code BLOCK} excludes a constructor or method. */
    static final class Change {
        static final Object BLOCK = new Object();
        final String place;
        final Object value;

        Change(String place, Object value) {
            this.place = place;
            this.value = value;
        }
    }

    /** Returns the place of a parameter. */
    static String place(Executable method, int parameter) {
        return method + "#" + parameter;
    }

    /** Returns the place of a part of a value, such as the value of a key. */
    static String entry(String place, String part) {
        return place + "/" + part;
    }

    /** Returns the place that says that a map has chosen keys only. */
    static String chosenKeys(String place) {
        return place + " keys";
    }

    /** Returns the place of the properties of a class. */
    static String setters(Class<?> type) {
        return "set " + type.getName();
    }

    Object at(String place) {
        return values.get(place);
    }

    /** Whether there are choices that differ from those of the planner. */
    boolean areSome() {
        return !values.isEmpty() || !blocked.isEmpty();
    }

    boolean has(String place) {
        return values.containsKey(place);
    }

    boolean isBlocked(Executable maker) {
        return blocked.contains(maker.toString());
    }

    /** Makes a change. Returns the change that takes it back. */
    Change apply(Change change) {
        if (change.value == Change.BLOCK) {
            boolean isNew = blocked.add(change.place);
            return new Change(change.place, isNew ? null : Change.BLOCK);
        }
        if (change.value == null) {
            blocked.remove(change.place);
            values.remove(change.place);
            return change;
        }
        Object before = values.put(change.place, change.value);
        return new Change(change.place, before);
    }

    /** Returns the answers of stub methods, in the form {@code class.method=value}. */
    List<String> answers() {
        List<String> all = new ArrayList<>();
        values.forEach((place, value) -> {
            if (place.startsWith(Stub.PLACE)) {
                all.add(place.substring(Stub.PLACE.length()) + "=" + value);
            }
        });
        Collections.sort(all);
        return all;
    }
}
