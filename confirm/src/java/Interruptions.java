package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The lines of the program to which each side comes when it runs alone, and so the lines before and after a switch.
 *
 * <p>An access is at the line of its instruction, and at the lines of all methods of the program that are running: an
 * access in a collection belongs to the line that calls the collection. Until its first switch, a side makes the same
 * accesses as alone.
 *
 * <p>A switch <em>tears</em> the section of a finding if the side came to the line of the first access of a pair before
 * it, and comes to the line of the second one after it.
 */
final class Interruptions implements Scheduler.Recorder {
    /** The accesses whose lines are recorded. */
    private static final int MAX_RECORDED = 5000;
    /** The first number of a line that stands for the index of an instruction, as in reports. */
    private static final int FIRST_OFFSET = 1 << 16;
    private static final String[] OTHERS = {"java.", "javax.", "jdk.", "sun.", "asercheck.confirm."};
    private static final StackWalker STACK = StackWalker.getInstance();

    /** Pairs of lines, as {@code FILE:LINE>FILE:LINE}. */
    private final Set<String> section;
    /** By sides, the lines of each access, as {@code FILE:LINE}. */
    private final List<List<Set<String>>> lines = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    /** By sides, the innermost line of each access. */
    private final List<List<String>> innermost = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private int recorded;

    Interruptions(Set<String> section) {
        this.section = section;
        // The first walk takes long, and runs are watched.
        STACK.forEach(new Frames());
    }

    /** Collects the lines of the program on a stack, the innermost first. */
    private static final class Frames implements Consumer<StackWalker.StackFrame> {
        final List<String> lines = new ArrayList<>();

        @Override
        public void accept(StackWalker.StackFrame frame) {
            for (String prefix : OTHERS) {
                if (frame.getClassName().startsWith(prefix)) {
                    return;
                }
            }
            int line = frame.getLineNumber();
            if (line > 0) {
                boolean isIndex = Sites.WITHOUT_LINES.contains(frame.getClassName());
                lines.add(text(frame.getClassName(), frame.getFileName(), isIndex ? FIRST_OFFSET + line - 1 : line));
            }
        }
    }

    /** Begins to record the accesses of a side; without one, ends it. */
    void record(int side) {
        recorded = side;
        if (side > 0) {
            lines.get(side).clear();
            innermost.get(side).clear();
        }
    }

    @Override
    public void at(Side side, int site) {
        List<Set<String>> own = lines.get(side.number);
        if (side.number == recorded && own.size() < MAX_RECORDED) {
            Frames frames = new Frames();
            STACK.forEach(frames);
            String line = line(Sites.of(site));
            boolean isOfProgram = !Sites.of(site).isOfJava || frames.lines.isEmpty();
            innermost.get(side.number).add(isOfProgram ? line : frames.lines.get(0));
            frames.lines.add(line);
            own.add(new TreeSet<>(frames.lines));
        }
    }

    /** Returns the line of a place. */
    static String line(Sites.Site site) {
        return line(site.type, site.file, site.line, site.index);
    }

    /** Returns the line of an instruction, whose number is 0 if it is unknown. */
    static String line(String type, String file, int line, int index) {
        return text(type, file, line > 0 ? line : FIRST_OFFSET + index);
    }

    private static String text(String type, String file, int line) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        int inner = simple.indexOf('$');
        String name = file != null && file.endsWith(".java") ? file
                : (inner > 0 ? simple.substring(0, inner) : simple) + ".java";
        return name.replace(' ', '_') + ":" + line;
    }

    /** Returns the lines of a range of accesses of a side. */
    private Set<String> lines(int side, int from, int to) {
        Set<String> all = new TreeSet<>();
        List<Set<String>> own = lines.get(side);
        for (int i = from; i < Math.min(to, own.size()); i++) {
            all.addAll(own.get(i));
        }
        return all;
    }

    /** Returns all lines of a side. */
    String visited(int side) {
        return String.join(" ", lines(side, 0, MAX_RECORDED));
    }

    /** Whether a stop before an access tears the section of the finding; any stop does if the finding has none. */
    boolean isTorn(int side, int stop) {
        Set<String> before = lines(side, 0, stop);
        Set<String> after = lines(side, stop, MAX_RECORDED);
        for (String pair : section) {
            int middle = pair.indexOf('>');
            if (before.contains(pair.substring(0, middle)) && after.contains(pair.substring(middle + 1))) {
                return true;
            }
        }
        return section.isEmpty();
    }

    /** Returns a switch: the side, the lines before and after it, and the innermost line of the access. */
    List<String> texts(int side, int stop) {
        return List.of(String.valueOf(side), String.join(" ", lines(side, 0, stop)),
                String.join(" ", lines(side, stop, MAX_RECORDED)), innermost(side, stop));
    }

    /** Returns the innermost line of the program at an access of a side; nothing if it is not recorded. */
    String innermost(int side, int access) {
        List<String> own = innermost.get(side);
        return access < own.size() ? own.get(access) : "";
    }
}
