package objects;

/** Correct: two methods share a section. */
public final class TornInsideRepaired {
    private volatile int last;

    private synchronized int increment() {
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
