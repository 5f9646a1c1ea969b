package rules;

/** A method that is not given gets a function, which adds one in a step; {@code add} passes it on twice. */
public class PassedFunctionsB {
    private final Absent absent = new Absent();
    private int count;

    public void add() {
        absent.run(this::step);
        absent.run(this::step);
    }

    public synchronized int get() {
        return count;
    }

    private synchronized void step() {
        count = count + 1;
    }
}
