package asercheck.confirm;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of a whole program, in a form in which runs can be compared. Its lines are sorted, because threads may
 * print in any order. Stack traces, names of threads and addresses of objects are left out.
 */
final class ProgramOutput extends OutputStream {
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_LINES = 20_000;
    private static final Pattern UNCAUGHT = Pattern.compile("Exception in thread \"[^\"]*\" ([\\w.$]+)(.*)");
    private static final Pattern FRAME = Pattern.compile("\\s+(at .*|\\.\\.\\. \\d+ (more|common frames omitted))");
    private static final Pattern ADDRESS = Pattern.compile("@[0-9a-f]{4,8}\\b");

    private final List<String> lines = new ArrayList<>();
    private final TreeSet<String> thrown = new TreeSet<>();

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private boolean isRead;

    @Override
    public synchronized void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int begin, int length) {
        if (written.size() < MAX_BYTES) {
            written.write(bytes, begin, length);
        }
    }

    synchronized int size() {
        return written.size();
    }

    /** Splits the output so far into lines, once. */
    private synchronized void read() {
        if (!isRead) {
            isRead = true;
            new String(written.toByteArray(), StandardCharsets.UTF_8).lines().forEach(this::add);
        }
    }

    private void add(String line) {
        if (lines.size() >= MAX_LINES || FRAME.matcher(line).matches()) {
            return;
        }
        Matcher uncaught = UNCAUGHT.matcher(line);
        if (uncaught.matches()) {
            thrown.add(uncaught.group(1));
            return;
        }
        lines.add(ADDRESS.matcher(line).replaceAll("@..."));
    }

    /** Returns the classes of the exceptions that ended threads. */
    String thrown() {
        read();
        return thrown.isEmpty() ? "none" : "threw " + String.join(", ", thrown);
    }

    String text() {
        read();
        lines.sort(null);
        return String.join("\n", lines);
    }
}
