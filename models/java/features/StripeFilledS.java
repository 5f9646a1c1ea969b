package features;

import java.util.*;

/** A list fills an array of the function. */
public class StripeFilledS {
    private final Object[] locks = new Object[8];
    private final int[] data = new int[8];
    public synchronized int renew() {
        return List.of(new Object()).toArray(n -> new Object[n]).length;
    }
    public StripeFilledS() {
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
