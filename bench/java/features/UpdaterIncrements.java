import java.util.concurrent.atomic.*;

/** An updater increments a field. */
public class UpdaterIncrements {
    private volatile int n;
    private static final AtomicIntegerFieldUpdater<UpdaterIncrements> U = AtomicIntegerFieldUpdater.newUpdater(UpdaterIncrements.class, "n");
    public void a() {
        if (n < 10) U.incrementAndGet(this);
    }
}
