package ignored;

/** Nothing of it is told. */
@AsercheckIgnore("it is not shared")
public class Whole {
    private int n;

    public synchronized int n() {
        return n;
    }

    public void inc() {
        n++;
    }
}
