package rules;

/** Subclasses call the protected method without a lock. */
public abstract class ProtectedMethodsB {
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
