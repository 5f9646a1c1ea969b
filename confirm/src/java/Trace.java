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
 * The accesses of a thread to the heap and to locks, in the order of its single steps. Classes without shared state,
 * and classes whose methods are atomic for other threads (locks, atomics, handles), are not entered: the call is the
 * access.
 */
final class Trace {
    /** The classes that are not entered. */
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

    private final int maxSteps;
    private int steps;
    private final Map<Location, Integer> counts = new HashMap<>();
    private final Map<Location, Code.Access> decoded = new HashMap<>();
    private final Set<String> texts = new LinkedHashSet<>();
    private final List<Location> previous = new ArrayList<>();
    private final Map<ReferenceType, Code> codes = new HashMap<>();

    Trace(int maxSteps) {
        this.maxSteps = maxSteps;
    }

    boolean isFull() {
        return steps >= maxSteps;
    }

    /** Adds the instruction that the thread is about to execute. */
    void add(Location location) {
        steps++;
        int count = counts.merge(location, 1, Integer::sum);
        Method method = location.method();
        boolean isEntered = location.codeIndex() == 0 && method.isSynchronized() && !previous.isEmpty();
        if (isEntered) {
            // The lock of a synchronized method is already held: stop before the call.
            Location call = previous.get(previous.size() - 1);
            record(call, counts.get(call), "lock", "monitor");
        }
        Code.Access access = decoded.computeIfAbsent(location, this::decode);
        if (access.kind != null) {
            record(location, count, access.kind, access.target);
        }
        previous.clear();
        previous.add(location);
    }

    private Code.Access decode(Location location) {
        ReferenceType type = location.declaringType();
        return codes.computeIfAbsent(type, Code::new).at(location.method(), (int) location.codeIndex());
    }

    private void record(Location location, int count, String kind, String target) {
        Method method = location.method();
        Point point = new Point(location.declaringType().name(), method.name(), method.signature(), location.codeIndex(), count);
        String file;
        try {
            file = location.sourceName();
        } catch (com.sun.jdi.AbsentInformationException none) {
            file = location.declaringType().name();
        }
        texts.add(point.text() + " " + kind + " " + target.replace(' ', '_') + " " + location.lineNumber() + " " + file);
    }

    /** Returns the accesses in their order: {@code class method descriptor index occurrence kind target line file}. */
    List<String> texts() {
        return new ArrayList<>(texts);
    }
}
