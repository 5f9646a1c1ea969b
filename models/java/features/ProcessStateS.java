package features;

/** Reads a property of the process, which it does not change. */
public class ProcessStateS {
    private int calls;

    public synchronized int next() {
        calls++;
        return calls + Integer.parseInt(System.getProperty("count", "0"));
    }
}
