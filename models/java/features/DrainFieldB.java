package features;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Broken: the first user opens and the last one closes, but a user that is not the first goes on beside it. */
public class DrainFieldB {
    private static final AtomicIntegerFieldUpdater<DrainFieldB> USERS =
        AtomicIntegerFieldUpdater.newUpdater(DrainFieldB.class, "users");
    private volatile int users;
    private long uses;

    public void use() {
        if (USERS.getAndIncrement(this) == 0) {
            uses = 0;
        }
        uses++;
        if (USERS.decrementAndGet(this) == 0) {
            uses = -1;
        }
    }
}
