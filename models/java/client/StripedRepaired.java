package client;

/** An array of locks, each for some of the elements of another array. */
public class StripedRepaired {
    private final Object[] locks;
    private final int[] counts;

    public StripedRepaired(int stripes, int size) {
        locks = new Object[stripes];
        counts = new int[size];
        for (int i = 0; i < stripes; i++) {
            locks[i] = new Object();
        }
    }

    private int index(Object key) {
        return Math.abs(key.hashCode() % counts.length);
    }

    public void add(Object key) {
        int index = index(key);
        synchronized (locks[index % locks.length]) {
            counts[index]++;
        }
    }

    public void clear(Object key) {
        int index = index(key);
        synchronized (locks[index % locks.length]) {
            counts[index] = 0;
        }
    }

    private Object lock(int index) {
        return locks[index % locks.length];
    }

    public void subtract(Object key) {
        int index = index(key);
        synchronized (lock(index)) {
            counts[index]--;
        }
    }

    public int count(Object key) {
        int index = index(key);
        synchronized (lock(index)) {
            return counts[index];
        }
    }

    /** No call changes two counts, so counts read one after the other are consistent. */
    public boolean isAnyUsed() {
        for (int i = 0; i < counts.length; i++) {
            synchronized (locks[i % locks.length]) {
                if (counts[i] > 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
