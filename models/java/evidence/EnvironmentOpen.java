package evidence;

/** The same, and one caller holds no lock. */
public class EnvironmentOpen {
    private Object value;

    public synchronized Object get() {
        if (value == null) {
            value = make();
        }
        return value;
    }

    public Object peek() {
        return make();
    }

    public synchronized void forget() {
        value = null;
    }

    protected Object make() {
        if (value == null) {
            value = new Object();
        }
        return value;
    }
}
