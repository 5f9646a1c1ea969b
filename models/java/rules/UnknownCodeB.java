package rules;

/** {@code log} reads twice, beside the call of a class that is not given. */
public class UnknownCodeB {
    private final Absent sink;
    private int count;

    public UnknownCodeB(Absent sink) {
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
        sink.note(get() - get());
    }
}
