package asercheck.confirm;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The places of all hooks, numbered from 0 in the order in which classes were rewritten. */
final class Sites {
    /** The kinds of hooks. */
    enum Kind {
        READ, WRITE,
        /** An operation on an object whose methods are atomic for other threads: a lock, an atomic variable. */
        WHOLE,
        /** A monitor is entered, or waited for or notified. */
        LOCK
    }

    /** The place of a hook. */
    static final class Site {
        final String type;
        final String method;
        final String descriptor;
        final int index;
        final Kind kind;
        /** The field with its type, the kind of the array, or the class of a lock. */
        final String target;
        final int line;
        final String file;
        /** Whether the class is of the class library. */
        final boolean isOfJava;

        Site(String[] method, int index, Kind kind, String target, int line, String file, boolean isOfJava) {
            type = method[0].replace('/', '.');
            this.method = method[1];
            descriptor = method[2];
            this.index = index;
            this.kind = kind;
            this.target = target;
            this.line = line;
            this.file = file;
            this.isOfJava = isOfJava;
        }

        /** Returns the name of the field; for other targets, their text. */
        String field() {
            int end = target.indexOf(':');
            return end < 0 ? target : target.substring(target.lastIndexOf('.', end) + 1, end);
        }

        boolean isAt(Point point) {
            return index == point.index && method.equals(point.method) && type.equals(point.type)
                    && descriptor.equals(point.descriptor);
        }

        /** Returns {@code class method descriptor index occurrence kind target line file}. */
        String text(int occurrence) {
            return new Point(type, method, descriptor, index, occurrence).text() + " "
                    + kind.name().toLowerCase(java.util.Locale.ROOT) + " " + target.replace(' ', '_') + " " + line + " "
                    + file;
        }
    }

    /**
     * The names of the classes without line numbers of their own: in their frames, a line is the index of an
     * instruction, plus one.
     */
    static final Set<String> WITHOUT_LINES = ConcurrentHashMap.newKeySet();

    private static volatile Site[] all = new Site[4096];
    private static int count;

    private Sites() {}

    static synchronized int add(Site site) {
        if (count == all.length) {
            all = Arrays.copyOf(all, 2 * count);
        }
        all[count] = site;
        return count++;
    }

    static Site of(int number) {
        return all[number];
    }
}
