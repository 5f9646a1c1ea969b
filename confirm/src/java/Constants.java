package asercheck.confirm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Values for which the code of a class asks: its constants, and keys that it looks up in maps. */
final class Constants {
    private static final int MAX_STRINGS = 12;
    private static final int MAX_NUMBERS = 12;
    private static final int MAX_KEYS = 32;
    /** The largest number that can be a size without using all memory. */
    private static final int MAX_SIZE = 1 << 16;

    /** Short strings. */
    final List<String> strings;
    /** Numbers, and those below and above. */
    final List<Integer> numbers;
    /** The keys of lookups in maps and properties. */
    final List<String> keys;

    Constants(List<ClassFile> files) {
        Set<String> strings = new LinkedHashSet<>();
        Set<Integer> numbers = new LinkedHashSet<>();
        Set<String> keys = new LinkedHashSet<>();
        for (ClassFile file : files) {
            for (ClassFile.Body body : file.bodies) {
                String last = null;
                for (Object item : body.items) {
                    if (item instanceof String) {
                        last = (String) item;
                        strings.add(last);
                    } else if (item instanceof Integer) {
                        numbers.add((Integer) item);
                    } else if (last != null) {
                        if (isLookup(((ClassFile.Call) item).method)) {
                            keys.add(last);
                        }
                        last = null;
                    }
                }
            }
        }
        this.strings = limited(strings, MAX_STRINGS);
        this.keys = new ArrayList<>(keys).subList(0, Math.min(MAX_KEYS, keys.size()));
        this.numbers = around(numbers);
    }

    private static List<String> limited(Set<String> all, int most) {
        List<String> fit = new ArrayList<>();
        for (String one : all) {
            boolean isShort = one.length() <= 16 && one.chars().allMatch(c -> c >= ' ' && c < 127);
            if (isShort && fit.size() < most) {
                fit.add(one);
            }
        }
        return fit;
    }

    private static List<Integer> around(Set<Integer> all) {
        Set<Integer> near = new LinkedHashSet<>();
        for (int one : all) {
            // Values near zero are tried anyway.
            boolean isKnown = one >= -1 && one <= 2;
            if (!isKnown && Math.abs((long) one) <= MAX_SIZE && near.size() < MAX_NUMBERS) {
                Collections.addAll(near, one, one - 1, one + 1);
            }
        }
        return new ArrayList<>(near);
    }

    private static boolean isLookup(String method) {
        String owner = method.substring(0, method.lastIndexOf('.', method.indexOf('(')));
        String name = method.substring(owner.length() + 1, method.indexOf('('));
        boolean isMap = owner.endsWith("Map") || owner.endsWith("Properties") || owner.endsWith("Hashtable")
                || owner.endsWith("Dictionary");
        boolean isKeyFirst = method.contains("(Ljava/lang/Object;") || method.contains("(Ljava/lang/String;");
        return isMap && isKeyFirst && (name.startsWith("get") || name.equals("containsKey"));
    }
}
