package kinds;

/** Two halves, of which the second one comes later if the name is missing. */
public class Halves {
    private int left;
    private int right;
    private int length;

    public void set(String name, int value) {
        try {
            synchronized (this) {
                left = value;
                length = name.length();
                right = value;
            }
        } catch (NullPointerException missing) {
            synchronized (this) {
                right = value;
            }
        }
    }

    public synchronized int difference() {
        return left - right;
    }
}
