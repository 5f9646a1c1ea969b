package kinds;

/** A range whose copies may have the bounds of two states. */
public class Span {
    private int from;
    private int to;

    public Span() {}

    public Span(Span other) {
        from = other.from;
        to = other.to;
    }

    public synchronized void move(int place) {
        from = place;
        to = place;
    }

    public synchronized int length() {
        return to - from;
    }
}
