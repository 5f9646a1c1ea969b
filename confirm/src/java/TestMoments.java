package asercheck.confirm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The moments of tests, which the file {@link #INDEX} of the class path lists. The classes of tests take no other part
 * in clients: their methods are not called, and no objects are made of them.
 */
final class TestMoments {
    /** The file with the classes of tests in the first line, and a moment in each other line. */
    static final String INDEX = "META-INF/asercheck-tests";

    private final Map<String, List<TestMoment>> moments = new HashMap<>();

    /** Reads the moments, and adds the hooks of tests to their classes. */
    TestMoments(Types types) {
        Set<String> tops = new HashSet<>();
        try (InputStream stream = types.file(INDEX)) {
            if (stream != null) {
                BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
                // The first line names the classes of all tests.
                Set<String> all = new HashSet<>();
                for (String name : Lines.split(in.readLine())) {
                    all.add(TestCode.top(name));
                }
                types.hide(all);
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    TestMoment moment = TestMoment.parse(line);
                    moments.computeIfAbsent(moment.type, any -> new ArrayList<>()).add(moment);
                    tops.addAll(TestCase.tops(moment.test.type, types));
                }
            }
        } catch (IOException unreadable) {
            moments.clear();
        }
        types.watch(new TestCode(new HashSet<>(moments.keySet()), tops));
    }

    /**
     * Returns the moments of a subject in the order in which they are tried: those before calls of the methods of a
     * finding first, then those before other calls on the object, then others; of each the first one of each test, then
     * the second ones, and so on.
     */
    List<TestMoment> of(String type, List<String> methods) {
        List<TestMoment> all = new ArrayList<>(moments.getOrDefault(type, List.of()));
        Map<TestMoment, Integer> ranks = new HashMap<>();
        Map<TestMoment, Integer> turns = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (TestMoment moment : all) {
            boolean isOfFinding = methods.stream().anyMatch(method -> method.contains("." + moment.key()));
            int rank = moment.role == TestMoment.Role.RECEIVER && isOfFinding ? 0 : moment.role.ordinal() + 1;
            ranks.put(moment, rank);
            turns.put(moment, counts.merge(rank + moment.test.id(), 1, Integer::sum));
        }
        all.sort(Comparator.comparing((TestMoment moment) -> ranks.get(moment)).thenComparing(turns::get));
        return all;
    }

    /** Returns the calls of a test on an object. */
    List<TestMoment> beside(TestMoment moment) {
        List<TestMoment> all = new ArrayList<>();
        for (TestMoment other : moments.getOrDefault(moment.type, List.of())) {
            if (other.test.id().equals(moment.test.id()) && other.number == moment.number
                    && other.role == TestMoment.Role.RECEIVER) {
                all.add(other);
            }
        }
        return all;
    }
}
