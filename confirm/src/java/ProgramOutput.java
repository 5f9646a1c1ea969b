package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a whole program prints, so that runs can be compared: its lines in order of the alphabet, as threads may print
 * in any order, without stack traces and names of threads, and without addresses of objects.
 */
final class ProgramOutput {
    /** So many lines are kept. */
    private static final int MOST = 20_000;
    private static final Pattern UNCAUGHT = Pattern.compile("Exception in thread \"[^\"]*\" ([\\w.$]+)(.*)");
    private static final Pattern FRAME = Pattern.compile("\\s+(at .*|\\.\\.\\. \\d+ (more|common frames omitted))");
    private static final Pattern ADDRESS = Pattern.compile("@[0-9a-f]{4,8}\\b");

    private final List<String> lines = new ArrayList<>();
    private final TreeSet<String> thrown = new TreeSet<>();

    void add(String line) {
        if (lines.size() >= MOST || FRAME.matcher(line).matches()) {
            return;
        }
        Matcher uncaught = UNCAUGHT.matcher(line);
        if (uncaught.matches()) {
            thrown.add(uncaught.group(1));
            return;
        }
        lines.add(ADDRESS.matcher(line).replaceAll("@..."));
    }

    /** The classes of exceptions that ended threads. */
    String thrown() {
        return thrown.isEmpty() ? "none" : "threw " + String.join(", ", thrown);
    }

    String text() {
        lines.sort(null);
        return String.join("\n", lines);
    }
}
