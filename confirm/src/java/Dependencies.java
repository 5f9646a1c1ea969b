package asercheck.confirm;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A set of accesses, and whether another access is dependent on one of them. */
final class Dependencies {
    /** The fields and elements that are written, or read at least. */
    private final Map<Key, Boolean> written;
    /** Arrays of which one element, or all, are accessed. */
    private final Set<Key> arrays = new HashSet<>();
    private boolean hasUnknown;

    Dependencies(int count) {
        written = new HashMap<>(2 * count + 1);
    }

    /** An object, a field or lock of it, and an index. */
    private static final class Key {
        private final Object object;
        private final String target;
        private final int index;

        Key(Object object, String target, int index) {
            this.object = object;
            this.target = target;
            this.index = index;
        }

        @Override
        public boolean equals(Object other) {
            Key key = (Key) other;
            return object == key.object && index == key.index && target.equals(key.target);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(object) * 31 + target.hashCode() + index;
        }
    }

    private static String target(Sites.Site site) {
        return site.target.startsWith("[") ? "[" : site.target;
    }

    /** Whether an operation may access any memory: one of a variable handle. */
    private static boolean isUnknown(Object object, Sites.Site site) {
        return object == null && site.kind == Sites.Kind.WHOLE;
    }

    private static boolean isArray(Sites.Site site) {
        return site.target.startsWith("[");
    }

    void add(Object object, int number, int index) {
        Sites.Site site = Sites.of(number);
        hasUnknown |= isUnknown(object, site);
        written.merge(new Key(object, target(site), index), site.kind != Sites.Kind.READ, Boolean::logicalOr);
        if (isArray(site)) {
            arrays.add(new Key(object, "[", index == Side.WHOLE ? Side.WHOLE : 0));
        }
    }

    boolean has(Object object, int number, int index) {
        Sites.Site site = Sites.of(number);
        if (hasUnknown || isUnknown(object, site) && !written.isEmpty()) {
            return true;
        }
        boolean isWrite = site.kind != Sites.Kind.READ;
        Boolean known = written.get(new Key(object, target(site), index));
        if (known != null && (known || isWrite)) {
            return true;
        }
        return isArray(site) && arrays.contains(new Key(object, "[", index == Side.WHOLE ? 0 : Side.WHOLE));
    }
}
