package features;

import java.util.*;

/** An interface of the program leads to a method of the library that fills the array of locks. */
public class StripeInheritedB {
    private final Object[] locks = new Object[8];
    private final int[] data = new int[8];
    private interface Source {
        void copyInto(Object[] to);
    }
    private static class Locks extends Vector<Object> implements Source {
    }
    public synchronized void renew() {
        Locks made = new Locks();
        made.add(new Object());
        Source source = made;
        source.copyInto(locks);
    }
    public StripeInheritedB() {
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
