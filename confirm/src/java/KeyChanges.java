package asercheck.confirm;

import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Changes of the keys and values of maps that a failing call needs: first no keys, as most of them are optional, then
 * one key after the other, those of the message first, and other values of these.
 */
final class KeyChanges {
    /** The number of other values of a key. */
    private static final int MAX_VALUES = 2;

    private final Hints hints;
    /** The keys that the code looks up. */
    private final Set<String> keys;
    /** The expressions of the variables. */
    private final Map<String, Expression> values;

    KeyChanges(Hints hints, Set<String> keys, Map<String, Expression> values) {
        this.hints = hints;
        this.keys = keys;
        this.values = values;
    }

    /** Returns the changes for the arguments of some calls, after a failure with a message. */
    List<Hints.Change> of(List<Expression> calls, String message) {
        List<Hints.Change> all = new ArrayList<>();
        for (Expression call : calls) {
            Executable maker = Repair.maker(call);
            List<Expression> given = maker == null ? Collections.emptyList() : arguments(call);
            for (int i = 0; i < given.size(); i++) {
                if (isMap(given.get(i))) {
                    all.addAll(changes(Hints.place(maker, i), message));
                }
            }
        }
        return all;
    }

    private List<Hints.Change> changes(String place, String message) {
        List<Hints.Change> all = new ArrayList<>();
        if (!hints.has(Hints.chosenKeys(place))) {
            all.add(new Hints.Change(Hints.chosenKeys(place), Boolean.TRUE));
            return all;
        }
        List<String> sorted = new ArrayList<>(keys);
        String text = message.toLowerCase(Locale.ROOT);
        sorted.sort(Comparator.comparing(key -> !text.contains(key.toLowerCase(Locale.ROOT))));
        for (String key : sorted) {
            String entry = Hints.entry(place, key);
            if (hints.has(entry)) {
                Stream.concat(Repair.named(message).stream(), Stream.of("1")).limit(MAX_VALUES)
                        .forEach(value -> all.add(new Hints.Change(entry, value)));
            } else {
                all.add(new Hints.Change(entry, Boolean.TRUE));
            }
        }
        return all;
    }

    /** Whether an argument is a map of the library that was made empty. */
    private boolean isMap(Expression argument) {
        Expression value = argument instanceof Expression.Variable ? values.get(((Expression.Variable) argument).name)
                : argument;
        return value instanceof Expression.New && ((Expression.New) value).arguments.isEmpty()
                && Map.class.isAssignableFrom(((Expression.New) value).constructor.getDeclaringClass());
    }

    private static List<Expression> arguments(Expression call) {
        return call instanceof AbstractStub.Made ? ((AbstractStub.Made) call).call().arguments
                : call instanceof Expression.New ? ((Expression.New) call).arguments
                : ((Expression.Call) call).arguments;
    }
}
