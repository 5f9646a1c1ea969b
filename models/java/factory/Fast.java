package factory;

/** Not safe for threads. */
class Fast extends Counter {
    private int more;

    @Override
    public void add() {
        more = more + 1;
    }

    @Override
    public int get() {
        return more;
    }
}
