package features;

import java.lang.invoke.*;

/** A handle replaces a lock of an array. */
public class StripeByHandleB {
    private final Object[] locks = new Object[8];
    private final int[] data = new int[8];
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);
    public void renew(int k) {
        ELEMENT.setVolatile(locks, k & 7, new Object());
    }
    public StripeByHandleB() {
        for (int i = 0; i < 8; i++) locks[i] = new Object();
    }
    public void add(int k) {
        int i = k & 7;
        synchronized (locks[i]) {
            data[i] = data[i] + 1;
        }
    }
    public int get(int k) {
        int i = k & 7;
        synchronized (locks[i]) {
            return data[i];
        }
    }
}
