package features;

import java.util.*;

/** A reference to a method of a view replaces a lock of an array. */
public class StripeByReferenceB {
    private final Object[] locks = new Object[8];
    private final int[] data = new int[8];
    public interface Setter {
        void set(int place, Object lock);
    }
    public synchronized void renew() {
        Setter setter = Arrays.asList(locks)::set;
        setter.set(0, new Object());
    }
    public StripeByReferenceB() {
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
