package rules;

/** Only {@code add} calls the protected method, under its lock. */
public class ProtectedMethodsS {
    private int count;

    protected void step() {
        count = count + 1;
    }

    public synchronized void add() {
        step();
    }

    public synchronized int get() {
        return count;
    }
}
