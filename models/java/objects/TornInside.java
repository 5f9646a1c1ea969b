package objects;

/** Broken: two methods have the same torn section, and only the callers of one of them notice. */
public final class TornInside {
    private volatile int last;

    private int increment() {
        int before = last;
        last = before + 1;
        return before;
    }

    public void add() {
        increment();
    }

    public int take() {
        return increment();
    }
}
