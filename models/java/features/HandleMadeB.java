package features;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A handle is made by a method that gets the name of the field; what it reads and sets is two steps. */
public final class HandleMadeB {
    private static final VarHandle COUNT = handle("count");

    private volatile int count;

    private static VarHandle handle(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(HandleMadeB.class, name, int.class);
        } catch (ReflectiveOperationException problem) {
            throw new ExceptionInInitializerError(problem);
        }
    }

    public void next() {
        int before = (int) COUNT.get(this);
        COUNT.set(this, before + 1);
    }

    public int count() {
        return count;
    }
}
