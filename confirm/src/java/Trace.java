package asercheck.confirm;

import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The accesses of a thread to the heap and to locks, in their order, as single steps show them. Inside of what changes nothing
 * that threads share, or is one step for others (locks, atomics, handles), nobody looks; the call counts as the access.
 */
final class Trace {
    /** Classes whose instructions are no accesses. */
    static final List<String> EXCLUDED = Arrays.asList("java.lang.invoke.*", "java.lang.reflect.*", "jdk.*", "sun.*",
            "java.lang.ClassLoader*", "java.lang.Class", "java.lang.String", "java.lang.String1*", "java.lang.StringConcat*",
            "java.lang.StringU*", "java.lang.StringL*", "java.lang.Integer*", "java.lang.Long*", "java.lang.Boolean",
            "java.lang.Character*", "java.lang.Double", "java.lang.Float", "java.lang.Math", "java.lang.Thread",
            "java.lang.ThreadLocal*", "java.lang.System", "java.lang.Throwable", "*Exception", "*Error", "java.lang.Object",
            "java.lang.StringBuilder",
            "java.lang.ref.*", "java.security.*", "java.net.*", "java.nio.*", "java.util.zip.*", "java.util.jar.*",
            "java.util.regex.*", "java.util.Formatter*", "java.util.Locale*", "java.text.*", "java.time.*", "java.math.*",
            "java.util.concurrent.atomic.*", "java.util.concurrent.locks.*", "java.util.concurrent.TimeUnit*",
            "asercheck.confirm.*");

    private final int most;
    private int steps;
    private final Map<Location, Integer> counts = new HashMap<>();
    private final Map<Location, Code.Access> decoded = new HashMap<>();
    private final Set<String> texts = new LinkedHashSet<>();
    private final List<Location> previous = new ArrayList<>();
    private final Map<ReferenceType, Code> codes = new HashMap<>();

    Trace(int most) {
        this.most = most;
    }

    boolean isFull() {
        return steps >= most;
    }

    /** The thread is about to execute the instruction at this place. */
    void add(Location location) {
        steps++;
        int count = counts.merge(location, 1, Integer::sum);
        Method method = location.method();
        boolean isEntered = location.codeIndex() == 0 && method.isSynchronized() && !previous.isEmpty();
        if (isEntered) {
            // The lock is taken already: stop before the call.
            Location call = previous.get(previous.size() - 1);
            record(call, counts.get(call), "lock", "monitor");
        }
        Code.Access access = decoded.computeIfAbsent(location, this::decode);
        if (access.kind != null) {
            record(location, count, access.kind, access.what);
        }
        previous.clear();
        previous.add(location);
    }

    private Code.Access decode(Location location) {
        ReferenceType type = location.declaringType();
        return codes.computeIfAbsent(type, Code::new).at(location.method(), (int) location.codeIndex());
    }

    private void record(Location location, int count, String kind, String what) {
        Method method = location.method();
        Point point = new Point(location.declaringType().name(), method.name(), method.signature(), location.codeIndex(), count);
        String file;
        try {
            file = location.sourceName();
        } catch (com.sun.jdi.AbsentInformationException none) {
            file = location.declaringType().name();
        }
        texts.add(point.text() + " " + kind + " " + what.replace(' ', '_') + " " + location.lineNumber() + " " + file);
    }

    /** {@code class method descriptor index occurrence kind what line file}, in their order. */
    List<String> texts() {
        return new ArrayList<>(texts);
    }
}
