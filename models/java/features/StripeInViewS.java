package features;

import java.util.*;

/** A view of an array reads its locks. */
public class StripeInViewS {
    private final Object[] locks = new Object[8];
    private final int[] data = new int[8];
    public synchronized boolean has(Object o) {
        return Arrays.asList(locks).contains(o) && Arrays.asList(locks).size() == 8;
    }
    public StripeInViewS() {
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
