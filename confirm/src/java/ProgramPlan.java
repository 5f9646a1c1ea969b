package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;

/** The rule by which one run of a whole program stops threads, and the places. */
final class ProgramPlan {
    /**
     * The role of a place in the code. A section extends from the first to the last access of the unit, or of the
     * interfering method.
     */
    enum Kind {
        /** A section of the unit, or of the interfering method, begins here, before its locks are acquired. */
        UNIT_FIRST, BY_FIRST,
        /** The last access of a section. */
        UNIT_LAST, BY_LAST,
        /** An access of the unit, or of the interfering method. */
        UNIT_ACCESS, BY_ACCESS;

        boolean isFirst() {
            return this == UNIT_FIRST || this == BY_FIRST;
        }

        boolean isLast() {
            return this == UNIT_LAST || this == BY_LAST;
        }
    }

    /** A line of a file. */
    static final class Place {
        final Kind kind;
        final int line;
        final String file;

        Place(Kind kind, int line, String file) {
            this.kind = kind;
            this.line = line;
            this.file = file;
        }
    }

    /** The class with the method {@code main}. */
    final String main;
    /** Whether the run only counts visits of places. */
    final boolean counts;
    /** Whether a thread is held: at {@link #point} or, without one, before section {@link #number}. */
    final boolean holds;
    /** Whether a thread that has interfered is stopped until the held one has left its method. */
    final boolean meets;
    final int number;
    /** The point at which a thread is held within its section; null in serial runs. */
    final Point point;
    final List<Place> places = new ArrayList<>();

    /** Reads {@code program MAIN serial|count|hold|meet NUMBER POINT PLACE...}. */
    ProgramPlan(String[] command) {
        main = command[1];
        counts = command[2].equals("count");
        meets = command[2].equals("meet");
        holds = meets || command[2].equals("hold");
        number = Integer.parseInt(command[3]);
        point = command[4].isEmpty() ? null : Point.of(command[4]);
        for (int i = 5; i < command.length; i++) {
            String[] words = command[i].split(" ", 3);
            Kind kind = Kind.valueOf(words[0]);
            if (isNeeded(kind)) {
                places.add(new Place(kind, Integer.parseInt(words[1]), words[2]));
            }
        }
    }

    /** Whether sections exclude each other. */
    boolean isSerial() {
        return !counts && point == null;
    }

    /** Whether threads stop at a place. Stops within sections are avoided, because they let others interfere. */
    private boolean isNeeded(Kind kind) {
        return kind.isFirst() || (kind.isLast() ? isSerial() : counts || holds && kind == Kind.BY_ACCESS);
    }
}
