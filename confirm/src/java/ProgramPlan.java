package asercheck.confirm;

/** The rule by which one run of a whole program stops threads. */
final class ProgramPlan {
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

    /** Reads {@code MAIN serial|count|hold|meet NUMBER POINT}, from the second field of a command. */
    ProgramPlan(String[] command) {
        main = command[1];
        counts = command[2].equals("count");
        meets = command[2].equals("meet");
        holds = meets || command[2].equals("hold");
        number = Integer.parseInt(command[3]);
        point = command[4].isEmpty() ? null : Point.of(command[4]);
    }

    /** Whether sections exclude each other. */
    boolean isSerial() {
        return !counts && point == null;
    }
}
