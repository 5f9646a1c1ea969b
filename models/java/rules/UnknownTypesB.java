package rules;

/** {@code twice} asks two things of this object. */
public class UnknownTypesB extends Absent {
    private int count;

    @Override
    public synchronized void step() {
        count = count + 1;
    }

    public void twice() {
        step();
        step();
    }

    public synchronized int get() {
        return count;
    }
}
