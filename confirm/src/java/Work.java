package asercheck.confirm;

import java.util.Map;

/** What a client does: it makes an object, calls it from two threads, and looks at it when both are done. */
interface Work {
    /** Makes the objects, and makes the calls before the threads begin. */
    void prepare() throws Throwable;

    /** How many calls a side makes: side 1 has the unit, side 2 what interferes. */
    int calls(int side);

    /** Makes a call of a side. */
    Object call(int side, int number) throws Throwable;

    /** Numbers the objects that the client has variables of. */
    void number(Show show);

    /** Adds what the client can tell afterwards, by the text of what it asks. */
    void observe(Show show, Map<String, String> outcome);
}
