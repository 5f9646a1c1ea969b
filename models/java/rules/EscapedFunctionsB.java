package rules;

/** Clients call the function that a public method returns. */
public class EscapedFunctionsB {
    private int count;

    public synchronized int get() {
        return count;
    }

    public synchronized void set(int value) {
        count = value;
    }

    public Runnable step() {
        return () -> set(get() + 1);
    }
}
