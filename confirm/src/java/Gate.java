package asercheck.confirm;

/**
 * The methods at which the threads of an attempt wait for the controller, which has breakpoints at their beginnings.
 * Without a controller, threads do not wait.
 */
final class Gate {
    private Gate() {}

    /** A side is about to make a call; calls are numbered from 0. */
    static void begin(int side, int call) {
        last = side;
    }

    /** A side has made its last call. */
    static void end(int side) {
        last = side;
    }

    /** Written by the methods, so that they are not empty. */
    static volatile int last;
}
