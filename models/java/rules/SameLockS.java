package rules;

import java.util.concurrent.atomic.AtomicReference;

/** Each call finds the same lock in the reference. */
public class SameLockS {
    private final AtomicReference<Object> lock = new AtomicReference<>(new Object());
    private int count;

    public void add() {
        synchronized (lock.get()) {
            count = count + 1;
        }
    }

    public int get() {
        synchronized (lock.get()) {
            return count;
        }
    }
}
