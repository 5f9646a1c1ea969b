package rules;

/** The class extends one that is not given, and one of its own methods takes no lock. */
public class InheritedCodeB extends Absent {
    private int count;

    @Override
    public void step() {
        count = count + 1;
    }

    @Override
    public synchronized int look() {
        return count;
    }
}
