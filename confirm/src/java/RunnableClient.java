package asercheck.confirm;

import java.util.Map;

/** A client in one run: prepares objects, calls them from two threads, and observes them after both have ended. */
interface RunnableClient {
    /** Creates the objects, and makes the calls that prepare them. */
    void prepare() throws Throwable;

    /** Returns the number of calls of a side: side 1 has the unit, side 2 the interfering calls. */
    int calls(int side);

    /** Makes a call of a side. */
    Object call(int side, int number) throws Throwable;

    /** Numbers the objects of the variables. */
    void number(ValuePrinter printer);

    /** Adds the observations after the calls, by their texts. */
    void observe(ValuePrinter printer, Map<String, String> outcome);
}
