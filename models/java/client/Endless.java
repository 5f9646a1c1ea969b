package client;

/** Comes back from what it calls in two ways, and in some runs never. */
public class Endless {
    private int size;

    public void serve(int count) {
        take(count);
    }

    public synchronized void put() {
        size++;
    }

    private void take(int count) {
        if (count == 0) {
            throw new IllegalArgumentException();
        }
        if (count == 1) {
            return;
        }
        while (true) {
            if (size > 0) {
                size--;
            }
        }
    }
}
