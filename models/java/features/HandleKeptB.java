package features;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A handle in a field of the object; what it reads and sets is two steps. */
public final class HandleKeptB {
    private final VarHandle handle;
    private volatile int count;

    public HandleKeptB() {
        try {
            handle = MethodHandles.lookup().findVarHandle(HandleKeptB.class, "count", int.class);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    public void next() {
        int before = (int) handle.get(this);
        handle.set(this, before + 1);
    }

    public int count() {
        return count;
    }
}
