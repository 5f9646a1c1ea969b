package client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Fields by handles: one step, or again from the beginning. */
public class UpdatedRepaired {
    private static final AtomicIntegerFieldUpdater<UpdatedRepaired> USED =
            AtomicIntegerFieldUpdater.newUpdater(UpdatedRepaired.class, "used");
    private static final VarHandle STATE;

    private volatile int used;
    private volatile int state;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(UpdatedRepaired.class, "state", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    public int use() {
        return USED.incrementAndGet(this);
    }

    public int useTwice() {
        while (true) {
            int before = used;
            if (USED.compareAndSet(this, before, before + 2)) {
                return before;
            }
        }
    }

    public boolean open() {
        return STATE.compareAndSet(this, 0, 1);
    }

    public void close() {
        state = 0;
    }
}
