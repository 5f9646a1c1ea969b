package asercheck.confirm;

/**
 * Where the threads of an attempt wait for the controller, which has breakpoints at the beginning of these methods.
 * Without a controller nobody waits.
 */
final class Gate {
    private Gate() {}

    /** Right before the call of this number of a side, from 0. */
    static void begin(int side, int call) {
        last = side;
    }

    /** After the last call of a side. */
    static void end(int side) {
        last = side;
    }

    /** So that the methods are not empty. */
    static volatile int last;
}
