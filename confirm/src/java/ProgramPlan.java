package asercheck.confirm;

import java.util.ArrayList;
import java.util.List;

/** What is done with the threads of a whole program in one run, and where. */
final class ProgramPlan {
    /**
     * What a place in the code is. A section is what would be torn apart, or what interferes, from its first to its
     * last access.
     */
    enum Kind {
        /** A section of the unit, or of what interferes, begins here, before locks are taken for it. */
        UNIT_FIRST, BY_FIRST,
        /** The last access of a section. */
        UNIT_LAST, BY_LAST,
        /** The unit, or what interferes, accesses something here. */
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

    /** The class with the program's main method. */
    final String main;
    /** It is only counted how often threads come where. */
    final boolean counts;
    /** A thread is held: at {@link #point}, else before the section that is begun as number {@link #number}. */
    final boolean holds;
    /** Another thread is stopped when it has interfered, until the held one has left its method. */
    final boolean meets;
    final int number;
    /** Where a thread is held within its section; none in serial runs, in which sections exclude each other. */
    final Point point;
    final List<Place> places = new ArrayList<>();

    /** {@code program MAIN serial|count|hold|meet NUMBER POINT PLACE...}. */
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

    /**
     * Whether threads stop there: a stop within a section gives others the time to tear it, so there is none without
     * need.
     */
    private boolean isNeeded(Kind kind) {
        return kind.isFirst() || (kind.isLast() ? isSerial() : counts || holds && kind == Kind.BY_ACCESS);
    }
}
