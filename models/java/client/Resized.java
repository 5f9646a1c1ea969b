package client;

/** Which of its locks is for an element depends on a table that is replaced. */
public class Resized {
    private final Object[] locks = new Object[4];
    private final int[] counts = new int[16];
    private volatile int[] table = new int[3];

    public Resized() {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
    }

    public void add(int key) {
        int[] now = table;
        int index = key & 15;
        synchronized (locks[index % now.length % 4]) {
            counts[index]++;
        }
    }

    public void grow() {
        table = new int[4];
    }
}
