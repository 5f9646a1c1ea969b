package rules;

/** Methods of a superclass that is not given do not call the overriding methods several times. */
public class InheritedCodeS extends Absent {
    private int count;

    @Override
    public synchronized void step() {
        count = count + 1;
    }

    @Override
    public synchronized int look() {
        return count;
    }
}
