import java.lang.invoke.*;

/** A handle adds to a field. */
public class HandleAdds {
    private volatile int n;
    private static final VarHandle N;
    static {
        try {
            N = MethodHandles.lookup().findVarHandle(HandleAdds.class, "n", int.class);
        } catch (Exception e) {
            throw new Error(e);
        }
    }

    public void a() {
        if (n < 10) N.getAndAdd(this, 1);
    }
}
