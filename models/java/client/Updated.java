package client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Fields by handles: what is read is old when it is written. */
public class Updated {
    private static final AtomicIntegerFieldUpdater<Updated> USED =
            AtomicIntegerFieldUpdater.newUpdater(Updated.class, "used");
    private static final VarHandle STATE;

    private volatile int used;
    private int state;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Updated.class, "state", int.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    public void use() {
        USED.set(this, USED.get(this) + 1);
    }

    public boolean open() {
        if ((int) STATE.getVolatile(this) == 0) {
            STATE.setVolatile(this, 1);
            return true;
        }
        return false;
    }
}
