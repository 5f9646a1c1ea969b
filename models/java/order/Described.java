package order;

/** Only toString sees the object half done. */
public class Described {
    private int low;
    private int high;

    public synchronized void move(int by) {
        low += by;
        high += by;
    }

    @Override
    public String toString() {
        return low + ".." + high;
    }
}
