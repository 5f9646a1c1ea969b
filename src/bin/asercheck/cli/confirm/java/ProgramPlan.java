package asercheck.confirm;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What is done with the threads of a whole program in one run, and where. */
final class ProgramPlan {
    /** What a place in the code is. */
    enum Kind {
        /** The unit, or what interferes, is called here. */
        UNIT_CALL, BY_CALL,
        /** It begins here; its method is that in which this line is. */
        UNIT_BEGIN, BY_BEGIN,
        /** The unit, or what interferes, accesses something here. */
        UNIT_ACCESS, BY_ACCESS;

        boolean isCall() {
            return this == UNIT_CALL || this == BY_CALL;
        }

        boolean isBegin() {
            return this == UNIT_BEGIN || this == BY_BEGIN;
        }

        boolean isOfUnit() {
            return this == UNIT_CALL || this == UNIT_BEGIN || this == UNIT_ACCESS;
        }

        static final Set<Kind> ENTRIES = EnumSet.of(UNIT_CALL, BY_CALL, UNIT_BEGIN, BY_BEGIN);
    }

    /** A line of a file; of a call, what is called there. */
    static final class Place {
        final Kind kind;
        final String name;
        final int line;
        final String file;

        Place(Kind kind, String name, int line, String file) {
            this.kind = kind;
            this.name = name;
            this.line = line;
            this.file = file;
        }
    }

    /** The class with the program's main method. */
    final String main;
    /** The unit and what interferes exclude each other, one by one as they come, or drawn by {@link #number}. */
    final boolean isSerial;
    /** The thread that comes to the unit as number {@link #number} waits for all others. */
    final boolean isLast;
    /** Another thread is stopped when it has interfered, until the held one has left its method. */
    final boolean meets;
    final int number;
    /** Where a thread is held; none in serial runs. */
    final Point point;
    final List<Place> places = new ArrayList<>();

    /** {@code program MAIN serial|last|hold|meet NUMBER POINT PLACE...}. */
    ProgramPlan(String[] command) {
        main = command[1];
        isSerial = command[2].equals("serial") || command[2].equals("last");
        isLast = command[2].equals("last");
        meets = command[2].equals("meet");
        number = Integer.parseInt(command[3]);
        point = command[4].isEmpty() ? null : Point.of(command[4]);
        for (int i = 5; i < command.length; i++) {
            String[] words = command[i].split(" ", 4);
            places.add(new Place(Kind.valueOf(words[0]), words[1], Integer.parseInt(words[2]), words[3]));
        }
    }
}
