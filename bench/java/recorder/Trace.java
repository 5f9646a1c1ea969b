package recorder;

import java.io.PrintWriter;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** The file of events: one a line, parts separated by tabs. Objects have numbers, which start at 0 in every run. */
final class Trace {
    private static final Map<Object, Integer> NUMBERS = new IdentityHashMap<>();
    private static PrintWriter out;

    private Trace() {}

    static void to(PrintWriter writer) {
        out = writer;
    }

    static synchronized void newRun() {
        NUMBERS.clear();
    }

    /** Writes one event. */
    static synchronized void tell(Object... parts) {
        if (out == null) {
            return;
        }
        StringJoiner line = new StringJoiner("\t");
        for (Object part : parts) {
            line.add(part.toString().replace('\t', ' ').replace('\n', ' '));
        }
        out.println(line);
    }

    static synchronized void flush() {
        out.flush();
    }

    /** Writes the reason why the virtual machine ends early, and ends it. */
    static synchronized void end(String why) {
        tell("failed", why);
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Returns the number of an object; its class is written at the first use. */
    static synchronized int number(Object object) {
        Integer known = NUMBERS.get(object);
        if (known != null) {
            return known;
        }
        int number = NUMBERS.size();
        NUMBERS.put(object, number);
        boolean isClass = object instanceof Class;
        tell("o", number, isClass ? ((Class<?>) object).getName() : object.getClass().getName(), kind(object));
        return number;
    }

    private static String kind(Object object) {
        if (object instanceof Class) {
            return "class";
        }
        if (object.getClass().isArray()) {
            return "array";
        }
        return SubjectLoader.isSubject(object.getClass()) ? "given" : "library";
    }
}
