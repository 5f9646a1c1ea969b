package org.asercheck.maven;

/** The meaning of an exit code of {@code asercheck java}. */
enum Answer {
    /** No finding counts. */
    NOTHING_NEW,
    /** A finding counts. */
    NEW_FINDINGS,
    /** The input or the arguments are wrong, or a file cannot be written. */
    WRONG_INPUT,
    /** No finding counts, but the run was ended early, or an input could not be read in full. */
    INCOMPLETE,
    /** The command has failed, or was ended. */
    FAILED;

    static Answer of(int exitCode) {
        switch (exitCode) {
            case 0:
                return NOTHING_NEW;
            case 1:
                return NEW_FINDINGS;
            case 2:
                return WRONG_INPUT;
            case 3:
                return INCOMPLETE;
            default:
                return FAILED;
        }
    }
}
