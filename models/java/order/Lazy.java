package order;

/** Double-checked initialization. */
public class Lazy {
    private volatile Object value;

    public Object value() {
        if (value == null) {
            synchronized (this) {
                if (value == null) {
                    value = new Object();
                }
            }
        }
        return value;
    }
}
