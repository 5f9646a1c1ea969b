package ignored;

/** One field is known to be wrong now and then, one method to be called by one thread; the others are not. */
public class Counters {
    @AsercheckIgnore("a number for a log, which may be wrong")
    private int shown;
    private int counted;
    private int reset;

    public synchronized int shown() {
        return shown;
    }

    public void show() {
        shown++;
    }

    public synchronized int counted() {
        return counted;
    }

    public void count() {
        counted++;
    }

    public synchronized int reset() {
        return reset;
    }

    @AsercheckIgnore("only the timer calls it")
    public void reset(int by) {
        reset += by;
    }
}
