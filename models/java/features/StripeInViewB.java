package features;

import java.util.*;

/** A view of an array replaces its first lock. */
public class StripeInViewB {
    private final Object[] locks = new Object[8];
    private final int[] data = new int[8];
    public synchronized void renew() {
        Arrays.asList(locks).set(0, new Object());
    }
    public StripeInViewB() {
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
