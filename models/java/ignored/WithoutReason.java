package ignored;

/** Without a reason everything is told. */
@AsercheckIgnore
public class WithoutReason {
    private int n;

    public synchronized int n() {
        return n;
    }

    public void inc() {
        n++;
    }

    /** It suppresses nothing. */
    @AsercheckIgnore("there is nothing here")
    public void nothing() {
    }
}
