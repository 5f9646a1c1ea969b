package asercheck.confirm;

import java.util.Set;
import java.util.TreeSet;

/** A thread of a whole program in a run: its section, and the lines to which it came in it. */
final class ProgramThread {
    private static final int NOWHERE = -1;

    final Thread thread;
    /** The number of calls with hooks that have not ended. */
    private int depth;
    /** The depth at which the section of a serial run began, and whether it is one of the unit. */
    private int sectionDepth = NOWHERE;
    boolean isOfUnit;
    /** The depth at which the unit began. */
    private int unitDepth = NOWHERE;
    private final Set<String> lines = new TreeSet<>();
    /** Whether it is about to interfere by a call or a lock, for which it may have to wait first. */
    boolean isAboutToInterfere;
    /** The depth of the method after which something happens. */
    private int watchedDepth = NOWHERE;

    ProgramThread(Thread thread) {
        this.thread = thread;
    }

    boolean isInside() {
        return sectionDepth != NOWHERE;
    }

    void beginSection(boolean isUnit) {
        sectionDepth = depth;
        isOfUnit = isUnit;
    }

    void endSection() {
        sectionDepth = NOWHERE;
    }

    /** The first access of a unit follows. */
    void beginUnit() {
        unitDepth = depth;
        lines.clear();
    }

    /** It comes to an access of the unit. */
    void visit(String line) {
        lines.add(line);
    }

    /** Returns the lines of the unit since it began, and forgets them. */
    Set<String> takeLines() {
        Set<String> taken = new TreeSet<>(lines);
        lines.clear();
        return taken;
    }

    /** Whether the unit in which it was has not ended. */
    boolean isInUnit() {
        return unitDepth != NOWHERE;
    }

    void watch() {
        watchedDepth = depth;
    }

    void entered() {
        depth++;
    }

    /** A method ends. Returns whether it is the watched one. */
    boolean left() {
        sectionDepth = sectionDepth >= depth ? NOWHERE : sectionDepth;
        unitDepth = unitDepth >= depth ? NOWHERE : unitDepth;
        boolean isWatched = watchedDepth >= depth;
        watchedDepth = isWatched ? NOWHERE : watchedDepth;
        depth--;
        return isWatched;
    }
}
