package rules;

/** A method of a class that is not given may call back {@code add}; {@code log} reads once all the same. */
public class UnknownCodeS {
    private final Absent sink;
    private int count;

    public UnknownCodeS(Absent sink) {
        this.sink = sink;
        sink.keep(this);
    }

    public synchronized void add() {
        count = count + 1;
    }

    public synchronized int get() {
        return count;
    }

    public void log() {
        sink.note(get());
    }
}
