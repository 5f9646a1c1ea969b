package features;

/** Two methods differ only in the method that they call: one reads with the lock, one writes without. */
public final class EntriesDifferB {
    private int x;
    private int y;

    public synchronized void writeTwice() {
        x = 1;
        x = 2;
    }

    public void reads() {
        read();
    }

    public void writes() {
        write();
    }

    private synchronized void read() {
        y = x;
    }

    private void write() {
        x = 3;
    }
}
