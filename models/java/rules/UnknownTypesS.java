package rules;

/** {@code twice} asks two things of an object of a class that is not given: it is no object of this class. */
public class UnknownTypesS extends Absent {
    private int count;

    @Override
    public synchronized void step() {
        count = count + 1;
    }

    public void twice() {
        Absent other = Absent.find();
        other.step();
        other.step();
    }

    public synchronized int get() {
        return count;
    }
}
