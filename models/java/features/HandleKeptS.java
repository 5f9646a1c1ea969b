package features;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A handle in a field of the object, which counts in one step. */
public final class HandleKeptS {
    private final VarHandle handle;
    private volatile int count;

    public HandleKeptS() {
        try {
            handle = MethodHandles.lookup().findVarHandle(HandleKeptS.class, "count", int.class);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    public int next() {
        return (int) handle.getAndAdd(this, 1);
    }

    public int count() {
        return count;
    }
}
