package client;

/** An array of locks, each for some of the elements of another array; but the two steps are taken under it one by one. */
public class Striped {
    private final Object[] locks = new Object[4];
    private final int[] counts = new int[64];

    public Striped() {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
    }

    public void add(int key) {
        int index = key & 63;
        int count;
        synchronized (locks[index % 4]) {
            count = counts[index];
        }
        synchronized (locks[index % 4]) {
            counts[index] = count + 1;
        }
    }

    public int get(int key) {
        int index = key & 63;
        synchronized (locks[index % 4]) {
            return counts[index];
        }
    }
}
